import { planWorkflow } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { bareMachine, preparedMachine, testSource } from '../testing/prepare-facts.ts';
import { BLANK_RECORD } from '../worker-record.ts';
import { nextRecord, type PrepareFacts } from './gather-prepare-facts.ts';
import { PREPARE } from './workflow.ts';

function kinds(facts: PrepareFacts): readonly string[] {
  return planWorkflow(PREPARE, facts)
    .flatMap(({ steps }) => steps)
    .map(({ kind }) => kind);
}

test('a bare machine gets programs, service and firewall rule, and nothing is started', () => {
  expect(kinds(bareMachine)).toEqual([
    'create-folder',
    'fetch-program',
    'place-executable',
    'install-service',
    'open-firewall',
    'write-file',
  ]);
});

test('a machine that is prepared has nothing to be done', () => {
  expect(kinds(preparedMachine)).toEqual([]);
});

test('only what is missing is made up for', () => {
  expect(kinds({ ...preparedMachine, registered: false })).toEqual(['install-service']);
  expect(kinds({ ...preparedMachine, firewall: bareMachine.firewall })).toEqual(['open-firewall']);
});

test('another version replaces the one that is there, which goes last', () => {
  const [program] = bareMachine.programs;
  if (program === undefined) throw new Error('there is a program');
  const steps = kinds({ ...preparedMachine, programs: [{ ...program, replacedSha256: 'old' }], recorded: false });
  expect(steps).toEqual(['fetch-program', 'write-file', 'discard-path', 'discard-path']);
});

const kubelet = { source: testSource, to: '/usr/local/bin/kubelet', inPlace: false, replacedSha256: undefined };

test('the record reports what was placed, and not of what was there', () => {
  const made = { firewall: undefined, folders: ['/a'] };
  expect(nextRecord(BLANK_RECORD, { ...made, programs: [{ ...kubelet, inPlace: true }] }).programs).toEqual([]);
  const first = nextRecord(BLANK_RECORD, { ...made, programs: [kubelet] });
  expect(first).toMatchObject({ programs: [{ name: 'kubelet', version: 'v1.33.1' }], folders: ['/a'] });
  const again = nextRecord(first, { ...made, folders: [], programs: [{ ...kubelet, inPlace: true }] });
  expect(again).toEqual(first);
});

test('a record keeps the cluster unless another is joined', () => {
  const cluster = { nodeName: 'w', endpoint: 'e', server: 's', caSha256: 'c', criSocket: 'r' };
  const made = { programs: [], firewall: undefined, folders: [] };
  const joined = nextRecord(BLANK_RECORD, { ...made, membership: cluster });
  expect(joined.cluster).toEqual(cluster);
  expect(nextRecord(joined, made)).toEqual(joined);
});
