import { expect, test } from 'vitest';
import { setAsideText } from './journal.command.ts';

const after = (abandoned: string): string => setAsideText('/j', { to: '/j.aside', abandoned }, false);

test('who gives up work on a plain Kubernetes worker is led to its own commands', () => {
  expect(after('keadm kube upgrade')).toContain('remove it with "keadm kube reset"');
  expect(after('keadm kube upgrade')).toContain('"keadm kube status"');
  expect(after('keadm upgrade')).toContain('remove it with "keadm reset"');
});
