import { expect, test } from 'vitest';
import { cloudDestinationOf, nodeDestinationOf, type CloudDestination, type NodeDestination } from './dispatch.ts';
import { newKeepalive } from './keepalive.ts';
import { newMessage, type Message, type MessageParts } from './message.ts';

test.each<[NodeDestination, Partial<MessageParts>]>([
  ['meta', { group: 'resource' }],
  ['meta', { group: 'func' }],
  ['waiting-caller', { group: 'resource', parentId: 'q' }],
  ['twin', { group: 'twin', parentId: 'q' }],
  ['waiting-caller', { group: 'user', parentId: 'q' }],
  ['event-bus', { group: 'user', source: 'router_eventbus' }],
  ['service-bus', { group: 'user', source: 'router_servicebus' }],
  ['unknown', { group: 'user', source: 'somebody' }],
  ['task-manager', { group: 'taskmanager' }],
  ['unknown', { group: 'hub' }],
])('a node gives to "%s" what is %j', (destination, parts) => {
  expect(nodeDestinationOf(message(parts))).toBe(destination);
});

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
