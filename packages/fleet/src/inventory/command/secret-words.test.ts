import { expect, test } from 'vitest';
import type { Secret } from '../secrets.ts';
import { hasClearSecret, shownWords } from './secret-words.ts';
import type { Word } from './split-words.ts';

const words = (...texts: readonly string[]): readonly Word<Secret>[] => texts.map((text) => text.split(''));

test.each([
  [
    ['join', '--token=abc'],
    ['join', '--token=***'],
  ],
  [
    ['join', '--token', 'abc', '--x'],
    ['join', '--token', '***', '--x'],
  ],
  [
    ['join', '-t', 'abc'],
    ['join', '-t', '***'],
  ],
  [
    ['join', '-tabc'],
    ['join', '-t***'],
  ],
  [
    ['backup', '--passphrase=a=b'],
    ['backup', '--passphrase=***'],
  ],
  [
    ['join', '--registry-password', 'x'],
    ['join', '--registry-password', '***'],
  ],
  [
    ['upgrade', '--from=https://me:pass@mirror/x'],
    ['upgrade', '--from=https://***@mirror/x'],
  ],
  [
    ['join', '--set', 'a.b=c,modules.edgeHub.token=x,d=e'],
    ['join', '--set', 'a.b=c,modules.edgeHub.token=***,d=e'],
  ],
  [
    ['config', 'set', 'modules.edgeHub.token=x'],
    ['config', 'set', 'modules.edgeHub.token=***'],
  ],
])('%j is shown as %j', (given, shown) => {
  expect(shownWords(words(...given))).toEqual(shown);
  expect(hasClearSecret(words(...given))).toBe(true);
});

test.each([
  [['join', '--token-file=x']],
  [['join', '--token', '--x']],
  [['join', '--passphrase-stdin', 'x']],
  [['join', '--token=']],
  [['debug', '-t', 'x']],
  [['upgrade', '--from=https://mirror/a@b']],
  [['join', '--set', 'a.tokenFile=x']],
])('%j holds no secret', (given) => {
  expect(shownWords(words(...given))).toEqual(given);
  expect(hasClearSecret(words(...given))).toBe(false);
});

test('the value of a secret wildcard is hidden everywhere, and is not a secret of the command itself', () => {
  const secret = { opaque: { from: 'env', name: 'T' } } as const;
  const given = [['a', '=', secret, '!'], [secret]];
  expect(shownWords(given)).toEqual(['a=***!', '***']);
  expect(hasClearSecret(given)).toBe(false);
});
