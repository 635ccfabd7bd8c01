import { expect, test } from 'vitest';
import { cloudDestinationOf, type CloudDestination } from './dispatch.ts';
import { newKeepalive } from './handshake.ts';
import { newMessage, type Message, type MessageParts } from './message.ts';

test.each<[CloudDestination, Partial<MessageParts>]>([
  ['waiting-volume-call', { operation: 'response', resource: 'default/volume/v1' }],
  ['acknowledgement', { operation: 'response', resource: 'default/pod/p' }],
  ['refusal', { operation: 'error' }],
  ['router', { operation: 'upload', group: 'user' }],
  ['task-manager', { operation: 'UpdateNodeActionStatus' }],
  ['task-manager', { operation: 'prepull' }],
  ['api-server-ca', { operation: 'query', resource: 'k8s/ca.crt' }],
  ['dynamic-controller', { source: 'metaserver', operation: 'null', resource: 'null' }],
  ['device-controller', { source: 'twin', operation: 'get', resource: 'membership/detail' }],
  ['edge-controller', { source: 'edged', operation: 'insert', resource: 'null/node/n' }],
  ['forged', { source: 'edgecontroller', operation: 'insert' }],
])('the cloud gives to "%s" what is %j', (destination, parts) => {
  expect(cloudDestinationOf(message(parts))).toBe(destination);
});

test('the cloud knows a keepalive by its operation', () => {
  expect(cloudDestinationOf(newKeepalive())).toBe('keepalive');
});

function message(parts: Partial<MessageParts>): Message {
  return newMessage({ source: 'edged', group: 'meta', operation: 'insert', resource: 'ns/pod/p', ...parts });
}
