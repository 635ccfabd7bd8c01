import { refusedError } from '@fenestra/kube-api';
import { expect, test } from 'vitest';
import { failedInStandIn, inStandIn } from './apply-manifests.ts';

const object = { kind: 'DaemonSet', metadata: { name: 'proxy', namespace: 'windows' } };
const ACTION = 'change DaemonSet "kube-system/proxy"';

test('an object whose namespace is not there yet is checked in another, and nothing else of it is changed', () => {
  expect(inStandIn(object)).toEqual({ kind: 'DaemonSet', metadata: { name: 'proxy', namespace: 'kube-system' } });
});

test('what is refused there is reported by the object that is meant, with the words of the server', () => {
  const refusal = refusedError(ACTION, 422, JSON.stringify({ kind: 'Status', message: 'no such field' }));
  expect(failedInStandIn(object, refusal)).toMatchObject({
    code: 'API_REFUSED',
    message: expect.stringContaining('Cannot check DaemonSet "windows/proxy"'),
    hint: refusal.hint,
    cause: { message: 'no such field' },
  });
});

test('anyone who may not do it there is not sent for rights in the wrong namespace', () => {
  expect(failedInStandIn(object, refusedError(ACTION, 403, ''))).toMatchObject({
    code: 'API_FORBIDDEN',
    hint: 'Make the namespace with "kubectl create namespace windows", then check again.',
  });
});
