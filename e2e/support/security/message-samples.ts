import { encodeMessage, newMessage, type Message, type MessageParts } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import type { JsonObject } from '@fenestra/kube-api';
import { hostileText, mutateBytes, mutateJson } from './mutate.ts';
import type { Random } from './random.ts';

const NAMES = ['a', 'b', 'c', 'd'];
/** Sessions end after bytes that are not a message, so most frames are messages with wrong content. */
const BROKEN_FRAMES = 0.002;

/** A frame for the other side: a message that makes sense, changed in a few places. */
export function mutatedFrame(random: Random, samples: readonly Message[]): Buffer {
  const bytes = encodeMessage(random.pick(samples));
  if (random.chance(BROKEN_FRAMES)) return mutateBytes(random, bytes);
  const message: { header: JsonObject; route: Record<string, string>; content: Json } = JSON.parse(bytes.toString());
  if (random.chance(0.7)) message.content = mutateJson(random, message.content);
  if (random.chance(0.3)) message.route[random.pick(Object.keys(message.route))] = hostileText(random);
  if (random.chance(0.1)) message.header = { ...message.header, parent_msg_id: hostileText(random) };
  return Buffer.from(JSON.stringify(message));
}

/** What a node sends to the cloud. */
export function nodeMessages(node: string): readonly Message[] {
  const metadata = { name: node, uid: 'u', labels: { a: 'b' } };
  const status = { conditions: [{ type: 'Ready', status: 'True' }], addresses: [{ type: 'Hostname', address: node }] };
  return [
    fromNode('insert', `default/node/${node}`, { apiVersion: 'v1', kind: 'Node', metadata, status }),
    fromNode('update', `default/nodestatus/${node}`, { UID: 'u', Status: status, ExtendResources: {} }),
    fromNode('patch', `default/nodepatch/${node}`, JSON.stringify({ metadata: { annotations: { a: 'b' } } })),
    fromNode('query', `default/node/${node}`, null),
    ...NAMES.flatMap((name) => [
      fromNode('query', `default/configmap/${name}`, null),
      fromNode('query', `default/secret/${name}`, null),
      fromNode('query', `default/pod/${name}`, null),
      fromNode('patch', `default/podpatch/${name}`, JSON.stringify({ status: { phase: 'Running' } })),
      fromNode('update', 'default/podstatus', [{ UID: 'u', Name: name, Status: { phase: 'Running' } }]),
      fromNode('insert', `default/event/${name}`, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace: 'default' },
        involvedObject: { kind: 'Node', name: node },
        reason: 'Test',
        message: 'text',
      }),
      fromNode('patch', `default/event/${name}`, { patchData: JSON.stringify({ count: 2 }) }),
      fromNode('delete', `default/pod/${name}`, { gracePeriodSeconds: 0, uid: 'u' }),
    ]),
    fromNode('query', 'default/serviceaccounttoken/default', { spec: { audiences: ['x'], expirationSeconds: 600 } }),
    fromNode('insert', `null/certificatesigningrequest/${node}`, {
      spec: { request: 'AA==', usages: ['client auth'] },
    }),
    fromNode('update', `kube-node-lease/lease/${node}`, { metadata, spec: { holderIdentity: node } }),
    fromNode('response', 'default/configmap/a', 'OK', { parentId: 'x' }),
    fromNode('error', 'default/configmap/a', 'no', { parentId: 'x' }),
    fromNode('query', 'k8s/ca.crt', null),
    fromNode('upload', 'rest/x', { header: {}, body: 'x' }, { group: 'user', source: 'servicebus' }),
    fromNode('query', 'null', { Key: '/apis', Verb: 'list' }, { source: 'metaserver' }),
    fromNode('keepalive', 'node', 'ping', { source: 'websocket', group: 'resource' }),
  ];
}

/** What a cloud sends to a node. */
export function cloudMessages(): readonly Message[] {
  return NAMES.flatMap((name) => {
    const metadata = { name, namespace: 'default', uid: name, resourceVersion: '7' };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [{ name: 'main', image: 'none' }] } };
    const rule = { apiVersion: 'rules.kubeedge.io/v1', kind: 'Rule', metadata, spec: { source: 'a' } };
    return [
      fromCloud('insert', `default/pod/${name}`, pod, { resourceVersion: '7' }),
      fromCloud('update', `default/configmap/${name}`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata,
        data: { a: 'b' },
      }),
      fromCloud('insert', `default/secret/${name}`, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata,
        data: { a: 'YQ==' },
      }),
      fromCloud('delete', `default/pod/${name}`, pod),
      fromCloud('update', `default/rule/${name}`, rule),
      fromCloud(
        'response',
        `default/configmap/${name}`,
        { Object: null, Err: { ErrStatus: { code: 404 } } },
        { parentId: 'x' },
      ),
      fromCloud('update', `default/node/${name}`, { apiVersion: 'v1', kind: 'Node', metadata }),
      fromCloud('update', 'node/a/membership/updated', { added_devices: [{ id: name }] }, { group: 'twin' }),
      fromCloud(
        'upgrade',
        `task/${name}/node/x`,
        { Type: 'upgrade', Item: { Version: 'v1' } },
        { group: 'taskmanager' },
      ),
      fromCloud('publish', 'topic', 'text', { group: 'user', source: 'router_eventbus' }),
    ];
  });
}

function fromNode(operation: string, resource: string, content: Json, more: Partial<MessageParts> = {}): Message {
  return newMessage({ source: 'edged', group: 'meta', operation, resource, content, ...more });
}

function fromCloud(operation: string, resource: string, content: Json, more: Partial<MessageParts> = {}): Message {
  return newMessage({ source: 'edgecontroller', group: 'resource', operation, resource, content, ...more });
}
