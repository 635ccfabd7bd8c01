import { OperatorError } from '@fenestra/kernel';
import { requireCheckNames, failed, passed, requirePassed } from '@fenestra/session';
import { expect, test } from 'vitest';
import { readyMachine } from '../../checks/testing/ready-machine.ts';
import { host } from '../testing/facts.ts';
import { JOIN_CHECKS } from './check-names.ts';
import { judgeMachine, type MachineFacts } from './judge-machine.ts';

const checks = readyMachine(host);
const ready: MachineFacts = { checks, programDisk: checks.disk, programBytes: 100_000_000, strangers: [] };

const taken = failed('node-name', new OperatorError('NODE_NAME_TAKEN', 'Taken', { hint: 'Choose another.' }));
const full = { name: 'disk', verdict: 'fail', reason: 'Full', remedy: 'Free some.' } as const;

test('a machine that has everything passes every check of its own', () => {
  const findings = judgeMachine(ready);
  expect(findings.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(JOIN_CHECKS).toEqual(expect.arrayContaining(findings.map(({ name }) => name)));
});

test.each<[string, string, string, MachineFacts]>([
  [
    'no room for the program twice',
    'disk',
    'fail',
    { ...ready, programDisk: { ...checks.disk, freeBytes: 150_000_000 } },
  ],
  ['files of an earlier node', 'leftover-state', 'fail', { ...ready, strangers: ['/etc/kubeedge/certs/server.crt'] }],
  [
    'no container runtime',
    'container-runtime',
    'warn',
    {
      ...ready,
      checks: { ...checks, runtime: { endpoint: 'unix:///c.sock', usable: false, problem: 'is not there' } },
    },
  ],
  [
    'a port in use',
    'ports',
    'fail',
    { ...ready, checks: { ...checks, agentPorts: [{ port: 10_350, setting: 'a.b', free: false }] } },
  ],
])('with %s, %s says %s', (_name, check, verdict, facts) => {
  expect(judgeMachine(facts).find(({ name }) => name === check)?.verdict).toBe(verdict);
});

test('one failure is told by its own error', () => {
  expect(() => requirePassed([passed('cloud', 'fine'), taken], [])).toThrow(taken.error);
});

test('several failures are told at once, each with its remedy', () => {
  expect(() => requirePassed([full, taken], [])).toThrow(
    expect.objectContaining({
      code: 'CHECKS_FAILED',
      message: expect.stringMatching(/2 check.*disk: Full\n +-> Free some.*node-name: Taken\n +-> Choose another/s),
    }),
  );
});

test('a failure that was waived does not stop a join', () => {
  expect(() => requirePassed([full, taken], ['disk', 'node-name'])).not.toThrow();
});

test('a check that does not exist cannot be waived', () => {
  requireCheckNames(JOIN_CHECKS, JOIN_CHECKS);
  expect(() => requireCheckNames(['disks'], JOIN_CHECKS)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
