import { OperatorError, type Json } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentJson, contentText, decodeBytes, encodeBytes, readContent } from './content.ts';
import { newMessage, type Message } from './message.ts';
import {
  CertificateSigningRequest,
  ConfigMap,
  DeleteOptions,
  Event,
  EventPatch,
  Lease,
  Node,
  NodeStatusRequest,
  Pod,
  PodStatusRequests,
  Secret,
  StatusPatch,
  TokenRequest,
} from './payloads.ts';

const PATCH = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };

test.each<[string, Json]>([
  ['itself', PATCH],
  ['text', JSON.stringify(PATCH)],
  ['base64', Buffer.from(JSON.stringify(PATCH)).toString('base64')],
])('an object can come as %s', (_, content) => {
  expect(contentJson(holding(content))).toEqual(PATCH);
  expect(readContent(StatusPatch, holding(content))).toEqual(PATCH);
});

test.each(['OK', '1234', 'true', '', '{broken', '////'])('"%s" is text and nothing embedded', (text) => {
  expect(contentJson(holding(text))).toBe(text);
  expect(contentText(holding(text))).toBe(text);
});

test('contentText writes objects as JSON', () => {
  expect(contentText(holding({ a: 1 }))).toBe('{"a":1}');
});

const PAYLOADS = [
  CertificateSigningRequest,
  ConfigMap,
  DeleteOptions,
  DeleteOptions,
  Event,
  EventPatch,
  Lease,
  Node,
  NodeStatusRequest,
  NodeStatusRequest,
  Pod,
  PodStatusRequests,
  PodStatusRequests,
  Secret,
  StatusPatch,
  StatusPatch,
  TokenRequest,
];

const field = fc.constantFrom('metadata', 'spec', 'status', 'data', 'event', 'name', 'request', 'labels', 'Status');
const leaf = fc.json({ maxDepth: 1 }).map((text): Json => JSON.parse(text));
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small' }, leaf, fc.dictionary(field, tie('tree'))),
}));

test('no content makes reading any payload throw anything but an operator error', () => {
  fc.assert(
    fc.property(tree, fc.constantFrom(...PAYLOADS), (content, schema) => {
      try {
        readContent(schema, holding(content));
      } catch (error) {
        expect(error).toBeInstanceOf(OperatorError);
      }
    }),
    { numRuns: 150 },
  );
});

test('fields that no one here knows pass through at every level', () => {
  const pod = {
    metadata: { name: 'p', later: [1] },
    spec: { nodeName: 'n', containers: [{ image: 'i' }] },
    extra: null,
  };
  expect(readContent(Pod, holding(pod))).toEqual(pod);
});

test('what Go writes for empty times, maps and pointers is accepted', () => {
  const metadata = { name: 'c', creationTimestamp: null, labels: null };
  expect(readContent(ConfigMap, holding({ metadata, data: null }))).toEqual({ metadata, data: null });
  expect(readContent(Lease, holding({ metadata, spec: { renewTime: null } })).spec).toEqual({ renewTime: null });
});

test('wrong content is refused with the fields that are wrong, and without its values', () => {
  const secret = { metadata: { name: 1 }, data: { password: { s3cret: true } } };
  expect(() => readContent(Secret, holding(secret))).toThrow(
    expect.objectContaining({ details: { operation: 'update', problems: 'metadata.name, data.password' } }),
  );
});

test('decodeBytes undoes encodeBytes and refuses what is not base64', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect([...decodeBytes(encodeBytes(bytes))]).toEqual([...bytes]);
    }),
  );
  expect(() => decodeBytes('no base64!')).toThrow(OperatorError);
});

function holding(content: Json): Message {
  return newMessage({ source: 'edged', group: 'meta', operation: 'update', resource: 'ns/type/name', content });
}
