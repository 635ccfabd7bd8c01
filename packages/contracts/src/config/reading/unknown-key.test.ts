import { expect, test } from 'vitest';
import { looksLike, nearestKey } from './unknown-key.ts';

test('nearestKey counts edits, and a swap of neighbours once', () => {
  expect(nearestKey('toekn', ['tls', 'token', 'took'])).toBe('token');
  expect(nearestKey('ENABLE', ['enable', 'able'])).toBe('enable');
  expect(nearestKey('x', [])).toBeUndefined();
});

test('looksLike takes slips for a key, but not another word', () => {
  expect(looksLike('websokcet', 'websocket')).toBe(true);
  expect(looksLike('dockerAddress', 'nodeLabels')).toBe(false);
});
