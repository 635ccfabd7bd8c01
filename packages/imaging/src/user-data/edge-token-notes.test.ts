import { expect, test } from 'vitest';
import { edgeTokenNotes } from './compose-request.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const HOUR = 60 * 60_000;
const note = (claims: object): string => edgeTokenNotes({ caHash: '', jwt: '', claims }, NOW).join('\n');

test('a token that expires soon is noted with its expiry and without advice', () => {
  expect(note({ expiresAt: NOW.getTime() + HOUR, node: 'n1', id: 'once' })).toBe(
    'The user-data contains the token; it is valid until 2026-01-01T01:00:00.000Z.',
  );
});

test.each([
  [{ expiresAt: NOW.getTime() + 12 * HOUR }, 'can join nodes until 2026-01-01T12:00:00.000Z: "keadm gettoken --node'],
  [{ expiresAt: NOW.getTime() + 12 * HOUR, node: 'n1' }, 'can join as "n1" until 2026-01-01T12:00:00.000Z: '],
  [{ expiresAt: 1e300 }, 'can join nodes until the end of time: '],
  [{}, 'can join nodes for ever: '],
])('a token that lives long is warned of: %j', (claims, words) => {
  expect(note(claims)).toContain(words);
  expect(note(claims)).not.toContain('kubeadm token');
});
