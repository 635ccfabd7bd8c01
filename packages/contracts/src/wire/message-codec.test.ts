import { OperatorError, type Json } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeMessage, encodeMessage } from './message-codec.ts';
import { newKeepalive } from './handshake.ts';
import { MAX_MESSAGE_BYTES, MAX_MESSAGE_DEPTH } from './limits.ts';
import { newMessage, replyTo, type Message } from './message.ts';

const STAMP = { id: 'a1', timestamp: 1_760_000_000_000 };
const ROUTE = { source: 'edgecontroller', group: 'resource', operation: 'update', resource: 'default/configmap/app' };

const KNOWN = new Set(
  'msg_id parent_msg_id timestamp resourceversion sync type source destination group operation resource'.split(' '),
);

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 });
/**
 * As JSON has it, but with slashes for backslashes: after an object with the key `\`, V8 13 reads the key "\u003c" of the
 * next object of the same shape as `\`, too.
 */
const throughJson = (value: unknown): string => JSON.stringify(value).replaceAll('\\\\', '/');
const json = fc.jsonValue({ maxDepth: 6 }).map((value): Json => JSON.parse(throughJson(value)));
const unknown = fc
  .dictionary(
    text.filter((key) => !KNOWN.has(key)),
    json,
    { minKeys: 1, noNullPrototype: true },
  )
  .map((fields): Record<string, Json> => JSON.parse(throughJson(fields)));

const message: fc.Arbitrary<Message> = fc.record({
  header: fc.record(
    {
      id: text,
      parentId: text,
      timestamp: fc.maxSafeInteger().map((value) => value + 0),
      resourceVersion: text,
      sync: fc.constant(true as const),
      type: text,
      unknown,
    },
    { requiredKeys: ['id', 'timestamp'], noNullPrototype: true },
  ),
  route: fc.record(
    {
      source: fc.string(),
      destination: text,
      group: fc.string(),
      operation: fc.string(),
      resource: fc.string(),
      unknown,
    },
    { requiredKeys: ['source', 'group', 'operation', 'resource'], noNullPrototype: true },
  ),
  content: json,
});

test('decodeMessage gives back what encodeMessage was given', () => {
  fc.assert(
    fc.property(message, (sent) => {
      expect(decodeMessage(encodeMessage(sent))).toEqual(sent);
    }),
    { numRuns: 500 },
  );
});

test('a message that was read is written again byte for byte', () => {
  fc.assert(
    fc.property(message, (sent) => {
      const bytes = encodeMessage(sent);
      expect(encodeMessage(decodeMessage(bytes)).equals(bytes)).toBe(true);
    }),
  );
});

test('no byte string makes decodeMessage throw anything but an operator error', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), expectDecodedOrRefused), { numRuns: 1000 });
});

test('no damage to a sound message makes decodeMessage throw anything but an operator error', () => {
  const damaged = fc.tuple(message, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1 }), fc.nat());
  fc.assert(
    fc.property(damaged, ([sent, hits, cut]) => {
      const bytes = encodeMessage(sent);
      for (const [at, value] of hits) bytes[at % bytes.length] = value;
      expectDecodedOrRefused(bytes.subarray(0, cut % (bytes.length + 1)));
    }),
    { numRuns: 500 },
  );
});

test('no JSON document makes decodeMessage throw anything but an operator error', () => {
  const document = fc.record({ header: json, route: json, content: json }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.oneof(json, document), (value) => expectDecodedOrRefused(Buffer.from(JSON.stringify(value)))),
    { numRuns: 500 },
  );
});

test("encodeMessage writes upstream's field names in its order, and escapes what Go escapes", () => {
  const sent = newMessage({ ...ROUTE, resourceVersion: '812', content: { data: { k: 'a<b>&\u2028' } } }, STAMP);
  expect(encodeMessage(sent).toString()).toBe(
    '{"header":{"msg_id":"a1","timestamp":1760000000000,"resourceversion":"812"},' +
      '"route":{"source":"edgecontroller","group":"resource","operation":"update","resource":"default/configmap/app"},' +
      String.raw`"content":{"data":{"k":"a\u003cb\u003e\u0026\u2028"}}}` +
      '\n',
  );
});

test('the keepalive is the one that upstream knows', () => {
  expect(encodeMessage(newKeepalive(STAMP)).toString()).toBe(
    '{"header":{"msg_id":"a1","timestamp":1760000000000},' +
      '"route":{"source":"websocket","group":"resource","operation":"keepalive","resource":"node"},"content":"ping"}\n',
  );
});

test('content that is left out travels as null, and absent content is read as null', () => {
  expect(encodeMessage(newMessage(ROUTE, STAMP)).toString()).toContain('"content":null');
  expect(read({ header: { msg_id: 'x', timestamp: 1 } })).toEqual({
    header: { id: 'x', timestamp: 1 },
    route: { source: '', group: '', operation: '', resource: '' },
    content: null,
  });
});

test('null and empty fields count as absent, as Go reads them', () => {
  const header = { msg_id: 'x', timestamp: null, parent_msg_id: '', resourceversion: null, sync: false, type: '' };
  expect(read({ header, route: { source: null }, content: 1 }).header).toEqual({ id: 'x', timestamp: 0 });
});

test('a field from a later version can never replace a known one', () => {
  const { header, ...rest } = newMessage({ ...ROUTE, parentId: 'p' }, STAMP);
  const forged = { ...rest, header: { ...header, unknown: { msg_id: 'forged', parent_msg_id: 'forged', later: 1 } } };
  expect(decodeMessage(encodeMessage(forged)).header).toEqual({ ...header, unknown: { later: 1 } });
});

test('a field named "__proto__" changes no prototype and travels on', () => {
  const bytes = Buffer.from('{"header":{"msg_id":"x","timestamp":1,"__proto__":{"sync":true}},"route":{}}');
  const { header } = decodeMessage(bytes);
  expect(header.sync).toBeUndefined();
  expect(encodeMessage(decodeMessage(bytes)).toString()).toContain('"__proto__":{"sync":true}');
});

test.each([
  ['text', 'no message'],
  ['a list', []],
  ['no header', { route: {} }],
  ['no id', { header: { timestamp: 1 } }],
  ['an empty id', { header: { msg_id: '', timestamp: 1 } }],
  ['a number as id', { header: { msg_id: 1, timestamp: 1 } }],
  ['a fraction as time', { header: { msg_id: 'x', timestamp: 1.5 } }],
  ['text as time', { header: { msg_id: 'x', timestamp: '1' } }],
  ['a list as route', { header: { msg_id: 'x', timestamp: 1 }, route: [] }],
  ['an object as resource', { header: { msg_id: 'x', timestamp: 1 }, route: { resource: {} } }],
])('decodeMessage refuses %s', (_, document) => {
  expect(() => read(document)).toThrow(expect.objectContaining({ code: 'MESSAGE_INVALID' }));
});

test('decodeMessage refuses nesting that could not be written again, however it is hidden', () => {
  expect(decodeMessage(nested(MAX_MESSAGE_DEPTH - 2)).header.id).toBe('x');
  expect(() => decodeMessage(nested(MAX_MESSAGE_DEPTH - 1))).toThrow(OperatorError);
  expect(() => decodeMessage(nested(1_000_000))).toThrow(OperatorError);
});

test('messages above the size limit are neither read nor written', () => {
  expect(() => decodeMessage(Buffer.alloc(MAX_MESSAGE_BYTES + 1))).toThrow(OperatorError);
  const large = newMessage({ ...ROUTE, content: 'x'.repeat(MAX_MESSAGE_BYTES) }, STAMP);
  expect(() => encodeMessage(large)).toThrow(/too large/);
});

test('an unreadable message is not quoted in the error, for it may hold a secret', () => {
  expect(() => decodeMessage(Buffer.from('{"token":"s3cret'))).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('s3cret'), cause: undefined }),
  );
});

test('replyTo answers with the parent, group and resource of what it answers', () => {
  const asked = newMessage({ ...ROUTE, operation: 'query' }, STAMP);
  const answer = replyTo(asked, { source: 'edgecontroller', content: 'OK', resourceVersion: '7' });
  expect(answer.header).toMatchObject({ parentId: 'a1', resourceVersion: '7' });
  expect(answer.route).toEqual({ ...ROUTE, operation: 'response' });
  expect(answer.header.id).not.toBe(asked.header.id);
});

function read(document: unknown): Message {
  return decodeMessage(Buffer.from(JSON.stringify(document)));
}

function nested(depth: number): Buffer {
  const lists = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  return Buffer.from(`{"header":{"msg_id":"x","timestamp":1},"content":["]]\\"}}",${lists}]}`);
}

function expectDecodedOrRefused(bytes: Uint8Array): void {
  try {
    expect(encodeMessage(decodeMessage(bytes)).length).toBeGreaterThan(0);
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
  }
}
