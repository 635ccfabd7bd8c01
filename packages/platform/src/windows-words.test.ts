import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { windowsCommandLine, powershellText } from './windows-words.ts';

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

test('powershellText quotes plain texts, and nothing in them means anything to PowerShell', () => {
  expect(powershellText('$env:X "it\'s" `n')).toBe(`'$env:X "it''s" \`n'`);
});

test('powershellText writes everything else as bytes: curly quotes, other letters, line ends', () => {
  for (const text of ['it’s', 'größe', 'a\nb'])
    expect(powershellText(text)).toBe(
      `[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('${Buffer.from(text).toString('base64')}'))`,
    );
});
