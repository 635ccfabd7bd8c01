import { createHmac } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  checkCaHash,
  checkJoinTokenTime,
  composeJoinToken,
  jwtPayload,
  parseJoinToken,
  readJwtPayload,
} from './join-token.ts';

const CA = Buffer.from('a certificate');
const EXPIRES = 1_760_000_000_000;

test('parseJoinToken takes apart what composeJoinToken put together', () => {
  const jwt = sign(jwtPayload({ expiresAt: EXPIRES }));
  const token = parseJoinToken(composeJoinToken(CA, jwt));
  expect(token).toEqual({ caHash: expect.stringMatching(/^[0-9a-f]{64}$/), jwt, claims: { expiresAt: EXPIRES } });
});

test("upstream's token with nothing but an expiry is understood, with blanks around it too", () => {
  const token = composeJoinToken(CA, sign({ exp: 1_760_000_000 }));
  expect(parseJoinToken(` ${token}\n`).claims).toEqual({ expiresAt: EXPIRES });
});

test('a token for one node, to be used once, says so', () => {
  const claims = { expiresAt: EXPIRES, node: 'n1', id: 'once' };
  expect(jwtPayload(claims)).toEqual({ exp: 1_760_000_000, sub: 'system:node:n1', jti: 'once' });
  expect(readJwtPayload(jwtPayload(claims))).toEqual(claims);
});

test('a token for someone who is not a node is none of ours', () => {
  expect(readJwtPayload({ exp: 1, sub: 'system:admin' })).toBeUndefined();
});

test('no text makes parseJoinToken throw anything but an operator error', () => {
  const part = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
  );
  const shaped = fc.array(part, { minLength: 3, maxLength: 3 }).map((parts) => `${'a'.repeat(64)}.${parts.join('.')}`);
  fc.assert(
    fc.property(fc.oneof(fc.string(), shaped), (text) => {
      try {
        parseJoinToken(text);
      } catch (error) {
        expect(error).toBeInstanceOf(OperatorError);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['nothing', ''],
  ['a JWT alone', sign({ exp: 1 })],
  ['a short hash', `abc.${sign({ exp: 1 })}`],
  ['a fifth part', `${composeJoinToken(CA, sign({ exp: 1 }))}.x`],
  ['no signature', composeJoinToken(CA, sign({ exp: 1 }).replace(/\.[^.]*$/, '.'))],
  ['an unsigned JWT', composeJoinToken(CA, sign({ exp: 1 }, 'none'))],
  ['text as expiry', composeJoinToken(CA, sign({ exp: 'soon' }))],
])('parseJoinToken refuses %s and does not quote it', (_, text) => {
  expect(() => parseJoinToken(text)).toThrow(expect.objectContaining({ code: 'TOKEN_INVALID', cause: undefined }));
});

test('an expired token is refused, with both times so that a wrong clock shows', () => {
  const token = parseJoinToken(composeJoinToken(CA, sign({ exp: 1_760_000_000 })));
  expect(() => checkJoinTokenTime(token, EXPIRES - 1)).not.toThrow();
  expect(() => checkJoinTokenTime(token, EXPIRES)).toThrow(
    expect.objectContaining({ details: { expiredAt: '2025-10-09T08:53:20.000Z', now: '2025-10-09T08:53:20.000Z' } }),
  );
});

test('a CA that is not the one the token was made for is refused', () => {
  const token = parseJoinToken(composeJoinToken(CA, sign({ exp: 1 })));
  expect(() => checkCaHash(token, CA)).not.toThrow();
  expect(() => checkCaHash(token, Buffer.from('another'))).toThrow(/not the token's/);
});

function sign(payload: object, alg = 'HS256'): string {
  const body = [{ alg, typ: 'JWT' }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${body}.${createHmac('sha256', 'key').update(body).digest('base64url')}`;
}
