import { expect, test } from 'vitest';
import { handshakeHeaders, hubUrl, readHandshake } from './handshake.ts';

test("a node connects to upstream's address with upstream's headers", () => {
  expect(hubUrl('cloud:10000', 'n1')).toBe('wss://cloud:10000/e632aba927ea4ac2b575ec1603d56f10/n1/events');
  expect(handshakeHeaders('n1', 'p')).toEqual({ node_id: 'n1', project_id: 'p', connectionuse: 'msg' });
});

test('readHandshake reads what handshakeHeaders wrote', () => {
  expect(readHandshake(handshakeHeaders('n1', 'p'))).toEqual({ nodeName: 'n1', projectId: 'p', connectionUse: 'msg' });
});

test('a header that is missing or doubled is empty', () => {
  expect(readHandshake({ node_id: ['a', 'b'] })).toEqual({ nodeName: '', projectId: '', connectionUse: '' });
});
