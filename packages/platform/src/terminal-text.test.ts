import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText, terminalText } from './terminal-text.ts';

const HARMFUL = [
  [
    '\u0000',
    '\u0007',
    '\b',
    '\u000b',
    '\f',
    '\r',
    '\u001b[31m',
    '\u001b]0;title\u0007',
    '\u007f',
    '\u0085',
    '\u009b2J',
  ],
  [
    '\u00ad',
    '\u061c',
    '\u200b',
    '\u200e',
    '\u200f',
    '\u2028',
    '\u2029',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\ufeff',
  ],
  ['\u{e0041}', '\u{1d173}', '\u{e0100}'],
  ['\u034f', '\u115f', '\u17b4', '\u180b', '\u2800', '\u3164', '\ufe00', '\ufe0f', '\uffa0', '\u200c', '\u200d'],
].flat();

test.each(HARMFUL)('%j reaches a terminal only as visible text, in JSON without a change of meaning', (harmful) => {
  const text = `node ${harmful} end`;
  expect(terminalText(text)).toMatch(/^[ -~]+$/);
  expect(terminalText(terminalText(text))).toBe(terminalText(text));
  expect(JSON.parse(terminalText(JSON.stringify({ text }, undefined, 2)))).toEqual({ text });
  expect(cleanText(`a\n${text}`)).toMatch(/^[ -~]+$/);
});

test('ordinary text stays as it is', () => {
  const text = 'Zürich\t北京 🧑‍🏭 🏳️‍🌈 ⚠️ می‌خواهم\nline\r\nline\n';
  expect(terminalText(text)).toBe(text);
});

test('any text loses every harmful character, and any JSON keeps its meaning', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(terminalText(text).replaceAll(/\r\n|\n|\t|\u200c|\u200d|\ufe0f/g, '')).not.toMatch(
        /[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}\u2800]/u,
      );
      expect(JSON.parse(terminalText(JSON.stringify(text)))).toBe(text);
    }),
  );
});
