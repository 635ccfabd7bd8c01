import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitText, splitWords } from './split-words.ts';

test.each([
  ['join --x=1', ['join', '--x=1']],
  ['  join\n\t--x  ', ['join', '--x']],
  [`a "b c" 'd  e'`, ['a', 'b c', 'd  e']],
  [`--name="hall 7" ''`, ['--name=hall 7', '']],
  [`"say \\"hi\\"" it\\'s a\\ b`, ['say "hi"', "it's", 'a b']],
  [
    String.raw`--root C:\node\data \\server\share "D:\x y"`,
    ['--root', 'C:\\node\\data', '\\\\server\\share', 'D:\\x y'],
  ],
  ['a \\\n b', ['a', 'b']],
  [`'a|b>c' a\\|b "x;y"`, ['a|b>c', 'a|b', 'x;y']],
  [`--set a={1,2}`, ['--set', 'a={1,2}']],
  ['cost=5$ $', ['cost=5$', '$']],
  ['', []],
])('%j is split into %j', (text, words) => {
  expect(splitText(text)).toEqual(words);
});

test.each([
  ['join | tee log', '"|"'],
  ['join > log', '">"'],
  ['join < no value', '"<"'],
  ['join; reset', '";"'],
  ['join && reset', '"&"'],
  ['join `id`', '"`"'],
  ['join $(id)', '"$("'],
  ['join "$HOME"', '"$H"'],
])('%j is refused, since no shell will read it', (text, part) => {
  expect(splitText(text)).toEqual({
    problem: expect.stringContaining(`holds ${part}, but the command is not interpreted by a shell`),
  });
});

test('a quote that is never closed is refused', () => {
  expect(splitText("join 'x")).toEqual({ problem: "has a quote (') that is never closed" });
});

test('what is opaque is never taken apart', () => {
  const secret = { opaque: 'a b | "c"' };
  expect(splitWords(['x', '=', secret, ' ', secret])).toEqual([['x', '=', secret], [secret]]);
});

test('any words come back from their quoted form', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
      expect(splitText(words.map(quoted).join(' '))).toEqual(words);
    }),
  );
});

test('any text is split or refused, and no word of plain text has a blank', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const words = splitText(text);
      if (Array.isArray(words) && !/["'\\]/.test(text)) expect(words).toEqual(text.split(/\s+/).filter(Boolean));
    }),
  );
});

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
