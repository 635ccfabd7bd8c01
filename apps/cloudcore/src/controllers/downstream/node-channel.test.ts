import { expect, test } from 'vitest';
import { decide } from './node-channel.ts';

test.each([
  ['nothing said, nothing recorded', { version: '5' }, undefined, undefined, 'first'],
  ['a record that was never acknowledged', { version: '5' }, undefined, '0', 'first'],
  ['an older version acknowledged in another session', { version: '10' }, undefined, '9', 'update'],
  ['this version acknowledged in another session', { version: '10' }, undefined, '10', 'note'],
  ['this version said', { version: '10' }, { version: '10', fingerprint: undefined }, '1', 'skip'],
  ['a later version said', { version: '10' }, { version: '11', fingerprint: undefined }, undefined, 'skip'],
  ['an older version said', { version: '10' }, { version: '9', fingerprint: undefined }, '10', 'update'],
  ['what matters said', { version: '10', fingerprint: 'a' }, { version: '9', fingerprint: 'a' }, undefined, 'note'],
  ['something else said', { version: '10', fingerprint: 'b' }, { version: '9', fingerprint: 'a' }, undefined, 'update'],
] as const)('%s', (_name, object, sent, recorded, decision) => {
  expect(decide(object, sent, recorded)).toBe(decision);
});
