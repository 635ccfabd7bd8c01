import { expect, test } from 'vitest';
import { keadmInMemory } from '../../testing/keadm-in-memory.ts';

test.each([
  '--control-plane',
  '--certificate-key=x',
  '--apiserver-advertise-address=1.2.3.4',
  '--skip-phases=preflight',
])('keadm kube join says why it does not take %s', async (flag) => {
  const { exitCode, err } = await keadmInMemory('kube', 'join', 'c:6443', flag);
  expect(exitCode).toBe(2);
  expect(err).toContain('a flag of kubeadm');
});

test('half of a wish for programs is a mistake', async () => {
  const { exitCode, err } = await keadmInMemory('kube', 'prepare', '--version', 'v1.33.1');
  expect(exitCode).toBe(2);
  expect(err).toContain('--from SOURCE');
});

test('a program that no worker has is refused by name', async () => {
  const { exitCode, err } = await keadmInMemory('kube', 'prepare', '--version', 'v1', '--from', '/x', '--with', 'etcd');
  expect(exitCode).toBe(2);
  expect(err).toContain('"etcd"');
});

test('a check that is none cannot be skipped, and all must stand alone', async () => {
  const prepare = ['kube', 'prepare', '--version', 'v1.33.1', '--from', '/x'];
  expect((await keadmInMemory(...prepare, '--skip-check', 'swapp')).err).toContain('there is no such check');
  expect((await keadmInMemory(...prepare, '--skip-check', 'all,disk')).err).toContain('"all"');
});

test('a label that no node may give itself is refused before anything is looked at', async () => {
  const { exitCode, err } = await keadmInMemory(
    'kube',
    'join',
    'c:6443',
    '--labels',
    'node-role.kubernetes.io/worker=',
  );
  expect(exitCode).toBe(2);
  expect(err).toContain('kubectl label');
});
