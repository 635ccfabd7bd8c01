import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { acknowledge, refuse } from './acknowledgement.ts';
import { newKeepalive } from './handshake.ts';
import { MAX_NODE_MESSAGE_BYTES, nodeMessageLimit, SMALL_MESSAGE_BYTES } from './limits.ts';
import { encodeMessage, peekRoute } from './message-codec.ts';
import { type MessageRoute, newMessage } from './message.ts';

const STATUS = { source: 'edged', group: 'meta', operation: 'update', resource: 'default/podstatus/a' };
const UPLOAD = { source: 'servicebus', group: 'user', operation: 'upload', resource: 'http://rule/path' };

test('the limit of a message depends on its kind', () => {
  const sent = newMessage({ source: 'edgecontroller', group: 'resource', operation: 'update', resource: 'a/pod/b' });
  expect(nodeMessageLimit(newKeepalive())).toBe(SMALL_MESSAGE_BYTES);
  expect(nodeMessageLimit(acknowledge(sent))).toBe(SMALL_MESSAGE_BYTES);
  expect(nodeMessageLimit(refuse(sent, 'reason'))).toBe(SMALL_MESSAGE_BYTES);
  expect(nodeMessageLimit(newMessage(STATUS))).toBe(3 * 1024 * 1024);
  expect(nodeMessageLimit(newMessage(UPLOAD))).toBe(MAX_NODE_MESSAGE_BYTES);
});

test('encodeMessage refuses a message above a given limit', () => {
  const message = newMessage({ ...STATUS, content: 'x'.repeat(4 * 1024 * 1024) });
  expect(() => encodeMessage(message, nodeMessageLimit(message))).toThrow(
    expect.objectContaining({ code: 'MESSAGE_INVALID' }),
  );
  expect(encodeMessage(message).length).toBeGreaterThan(4 * 1024 * 1024);
});

test('peekRoute finds the route of what encodeMessage writes, whatever the content', () => {
  const word = fc.stringMatching(/^[a-z/]{0,40}$/);
  const route = fc.record({ source: word, group: word, operation: word, resource: word });
  fc.assert(
    fc.property(route, fc.jsonValue(), (sent: MessageRoute, value) => {
      const message = newMessage({ ...sent, content: JSON.parse(JSON.stringify(value)) });
      expect(peekRoute(encodeMessage(message))).toEqual(sent);
    }),
  );
});

test('peekRoute does not search behind a large content, and never throws', () => {
  const late = JSON.stringify({ header: {}, content: 'x'.repeat(100_000), route: UPLOAD });
  expect(peekRoute(Buffer.from(late))).toBeUndefined();
  fc.assert(fc.property(fc.string(), (text) => void peekRoute(Buffer.from(`{"route":{${text}`))));
  expect(peekRoute(Buffer.from('{"route":{"source":1}}'))).toBeUndefined();
});
