import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { windowsCommandLine } from './command-line.ts';

/** How Microsoft's C runtime reads a command line. See https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments. */
function readCommandLine(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  for (const [part = '', backslashes = '', quote] of line.matchAll(/(\\+)("?)|["]|[^\\"]/gs)) {
    if (backslashes !== '') {
      const literal = quote === '"' ? '\\'.repeat(Math.floor(backslashes.length / 2)) : backslashes;
      word = (word ?? '') + literal + (quote === '"' && backslashes.length % 2 === 1 ? '"' : '');
      if (quote === '"' && backslashes.length % 2 === 0) quoted = !quoted;
    } else if (part === '"') {
      quoted = !quoted;
      word ??= '';
    } else if (!quoted && /[ \t]/.test(part)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + part;
    }
  }
  return word === undefined ? words : [...words, word];
}

test('a program reads back exactly the words it was given', () => {
  const word = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '\t', "'", '%', '^') });
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(readCommandLine(windowsCommandLine(words))).toEqual(words);
    }),
  );
});

test('a folder with a blank keeps its last backslash', () => {
  expect(windowsCommandLine(['--from', 'C:\\my programs\\'])).toBe(String.raw`--from "C:\my programs\\"`);
});
