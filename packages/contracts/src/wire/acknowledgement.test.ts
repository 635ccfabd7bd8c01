import type { Json } from '@fenestra/kernel';
import { expect, test } from 'vitest';
import { acknowledge, mustAcknowledge, needsAcknowledgement, refuse } from './acknowledgement.ts';
import { newMessage, type Message, type MessageParts } from './message.ts';

const OBJECT = { metadata: { name: 'x', uid: 'u1', resourceVersion: '5' } };

test.each<[string, Partial<MessageParts>]>([
  ['a new pod', { operation: 'insert', resource: 'default/pod/p1' }],
  ['a changed ConfigMap', { operation: 'update', resource: 'default/configmap/c' }],
  ['a deleted secret', { operation: 'delete', resource: 'default/secret/s' }],
  ['a changed node', { operation: 'update', resource: 'null/node/n1' }],
  ['an object in a namespace named "node"', { operation: 'update', resource: 'node/configmap/c' }],
  ['a ConfigMap named "podlist"', { operation: 'insert', resource: 'default/configmap/podlist' }],
  ['a secret in a namespace named "membership"', { operation: 'insert', resource: 'membership/secret/s' }],
  ['an object of a dynamic watch', { source: 'dynamiccontroller', operation: 'insert', resource: 'ns/lease/l' }],
  ['a queried ConfigMap', { operation: 'response', resource: 'default/configmap/c', parentId: 'q' }],
])('%s is sent until it is acknowledged, and the node acknowledges it', (_, parts) => {
  const message = fromCloud(parts);
  expect(needsAcknowledgement(message)).toBe(true);
  expect(mustAcknowledge(message)).toBe(true);
});

test.each<[string, Partial<MessageParts>]>([
  ['a service account token', { operation: 'response', resource: 'default/serviceaccounttoken/sa', parentId: 'q' }],
  [
    'a token in a namespace named "node"',
    { operation: 'response', resource: 'node/serviceaccounttoken/sa', parentId: 'q' },
  ],
  ["the API server's CA", { operation: 'response', resource: 'k8s/ca.crt', content: 'PEM', parentId: 'q' }],
  ['an "OK"', { operation: 'response', resource: 'default/podstatus', content: 'OK', parentId: 'q' }],
  [
    'a failed query',
    { operation: 'response', resource: 'default/configmap/c', content: { ErrStatus: {} }, parentId: 'q' },
  ],
  ['a registered node', { operation: 'response', resource: 'null/node/n1', parentId: 'q' }],
  ['a lease', { operation: 'response', resource: 'kube-node-lease/lease/n1', parentId: 'q' }],
  ['a patched node', { operation: 'response', resource: 'null/nodepatch/n1', parentId: 'q' }],
  ['a patched pod', { operation: 'response', resource: 'default/podpatch/p', parentId: 'q' }],
  ['a CSR', { operation: 'response', resource: 'default/certificatesigningrequest/c', parentId: 'q' }],
  ['a created mirror pod', { operation: 'response', resource: 'default/pod/p', parentId: 'q' }],
  ['a volume to make', { operation: 'createvolume', resource: 'default/volume/v' }],
  ['the answer to a forwarded request', { operation: 'applicationResponse', resource: 'ignore/Application/ignore' }],
  ["a user's message", { group: 'user', operation: 'message', resource: 'default/pod/p' }],
  ['a twin update', { group: 'twin', operation: 'update', resource: 'device/ns/d/twin/cloud_updated' }],
  ['a task', { source: 'taskmanager', group: 'taskmanager', operation: 'upgrade', resource: 'task/t/node/n' }],
])('%s is sent once, and the node does not acknowledge it', (_, parts) => {
  const message = fromCloud(parts);
  expect(needsAcknowledgement(message)).toBe(false);
  expect(mustAcknowledge(message)).toBe(false);
});

test('a node acknowledges whatever it did not ask for, of unknown types too', () => {
  expect(mustAcknowledge(fromCloud({ operation: 'insert', resource: 'ns/something/new' }))).toBe(true);
  expect(mustAcknowledge(fromCloud({ operation: 'insert', resource: 'not an object' }))).toBe(true);
  expect(mustAcknowledge(fromCloud({ operation: 'update', resource: 'ns/podlist/x' }))).toBe(true);
});

test('an acknowledgement names the message it acknowledges', () => {
  const message = fromCloud({ operation: 'insert', resource: 'default/pod/web' });
  const ack = acknowledge(message);
  expect(ack).toMatchObject({
    header: { parentId: message.header.id },
    route: { source: 'metamanager', group: 'resource', operation: 'response', resource: 'default/pod/web' },
    content: 'OK',
  });
});

test('a refusal names the message and the reason, and is not an acknowledgement', () => {
  const message = fromCloud({ operation: 'insert', resource: 'default/pod/web' });
  const refusal = refuse(message, 'disk full');
  const header = { parentId: message.header.id };
  expect(refusal).toMatchObject({ header, route: { operation: 'error' }, content: 'disk full' });
});

test('acknowledgements are not acknowledged', () => {
  const message = fromCloud({ operation: 'insert', resource: 'default/pod/web' });
  expect(mustAcknowledge(acknowledge(message))).toBe(false);
  expect(mustAcknowledge(refuse(message, 'no'))).toBe(false);
});

function fromCloud(parts: Partial<MessageParts> & { content?: Json }): Message {
  const defaults = { source: 'edgecontroller', group: 'resource', operation: 'update', resource: 'ns/pod/p' };
  return newMessage({ ...defaults, content: OBJECT, ...parts });
}
