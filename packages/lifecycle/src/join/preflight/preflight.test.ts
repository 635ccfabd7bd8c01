import { OperatorError } from '@fenestra/kernel';
import { failedBy, pass, requireCheckNames, requirePassed } from '@fenestra/session';
import { expect, test } from 'vitest';
import { readyMachine } from '../../checks/testing/ready-machine.ts';
import { host } from '../testing/facts.ts';
import { type CloudFindings, JOIN_CHECKS, type JoiningMachine, runJoinChecks } from './join-checks.ts';

const machine = readyMachine(host);
const { disk: programDisk } = machine.space;
const ready: JoiningMachine = { machine, nodeName: 'n', programDisk, programBytes: 100_000_000, leftovers: [] };
const fine = pass('fine');
const cloud: CloudFindings = { cloud: fine, token: fine, cloudClock: fine, nameInCloud: fine };

const taken = {
  name: 'node-name',
  ...failedBy(new OperatorError('NODE_NAME_TAKEN', 'Taken', { hint: 'Choose another.' })),
};
const full = { name: 'disk', verdict: 'fail', reason: 'Full', remedy: 'Free some.' } as const;

test('a machine that has everything passes every one of its checks', () => {
  const findings = runJoinChecks(ready, cloud);
  expect(findings.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(findings.map(({ name }) => name)).toEqual(JOIN_CHECKS.map(({ name }) => name));
});

test.each<[string, string, string, JoiningMachine]>([
  [
    'no room for the program twice',
    'disk',
    'fail',
    { ...ready, programDisk: { ...programDisk, freeBytes: 150_000_000 } },
  ],
  ['files of an earlier node', 'leftover-state', 'fail', { ...ready, leftovers: ['/etc/kubeedge/certs/server.crt'] }],
  [
    'no container runtime',
    'container-runtime',
    'fail',
    {
      ...ready,
      machine: { ...machine, runtime: { endpoint: 'unix:///c.sock', usable: false, problem: 'is not there' } },
    },
  ],
  [
    'a port in use',
    'ports',
    'fail',
    { ...ready, machine: { ...machine, ports: [{ port: 10_350, setting: 'a.b', free: false }] } },
  ],
])('with %s, %s says %s', (_name, check, verdict, facts) => {
  expect(runJoinChecks(facts, undefined).find(({ name }) => name === check)?.verdict).toBe(verdict);
});

test('a node that is to run no pods needs no container runtime', () => {
  const withoutPods = { ...machine, runsPods: false, runtime: { endpoint: 'unix:///c.sock', usable: false } };
  const findings = runJoinChecks({ ...ready, machine: withoutPods }, undefined);
  expect(findings.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
});

test('without a container runtime the other needs of pods are not judged', () => {
  const runtime = { endpoint: 'unix:///c.sock', usable: false };
  const findings = runJoinChecks({ ...ready, machine: { ...machine, runtime, details: undefined } }, undefined);
  expect(findings.filter(({ verdict }) => verdict === 'fail').map(({ name }) => name)).toEqual(['container-runtime']);
});

test('the clock check compares with the clock of the cloud where it was asked', () => {
  const wrong = failedBy(new OperatorError('CLOCK_WRONG', 'Wrong', { hint: 'Set it.' }));
  const findings = runJoinChecks(ready, { ...cloud, cloudClock: wrong });
  expect(findings.filter(({ verdict }) => verdict !== 'pass')).toEqual([{ name: 'clock', ...wrong }]);
});

test('one failure is reported by its own error', () => {
  expect(() => requirePassed([{ name: 'cloud', ...fine }, taken], [])).toThrow(taken.error);
});

test('several failures are reported at once, each with its remedy', () => {
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
  expect(requireCheckNames(['disk', 'time'], JOIN_CHECKS)).toEqual(['disk', 'clock']);
  expect(() => requireCheckNames(['disks'], JOIN_CHECKS)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
