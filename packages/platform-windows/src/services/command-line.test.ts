import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCommandLine, quoteCommandLine } from './command-line.ts';

const awkward = fc.string({ unit: fc.constantFrom('a', 'Z', ' ', '\t', '"', '\\', '-', '=', 'é', '\n') });
const path = fc.string({ unit: fc.constantFrom('a', 'B', ' ', '\\', '.', ':'), minLength: 1 });

test('parseCommandLine reads back whatever quoteCommandLine wrote', () => {
  fc.assert(
    fc.property(path, fc.array(awkward), (executable, args) => {
      expect(parseCommandLine(quoteCommandLine(executable, args))).toEqual({ executable, args });
    }),
  );
});

test('quoteCommandLine quotes the program even without a space, so that nothing else can be found first', () => {
  expect(quoteCommandLine(String.raw`C:\edge\edgecore.exe`, ['service', 'run'])).toBe(
    String.raw`"C:\edge\edgecore.exe" service run`,
  );
});

test('quoteCommandLine doubles the backslashes before a quote and at the end of a quoted argument', () => {
  expect(quoteCommandLine('x', [String.raw`a b\ `.trimEnd(), String.raw`say \"hi"`, ''])).toBe(
    String.raw`"x" "a b\\" "say \\\"hi\"" ""`,
  );
});

test.each([
  [String.raw`C:\x.exe a b`, String.raw`C:\x.exe`, ['a', 'b']],
  [String.raw`"C:\Program Files\x.exe" --name="a b"`, String.raw`C:\Program Files\x.exe`, ['--name=a b']],
  [String.raw`x a\\\"b c\d`, 'x', [String.raw`a\"b`, String.raw`c\d`]],
  ['x   ', 'x', []],
])('parseCommandLine reads %s', (line, executable, args) => {
  expect(parseCommandLine(line)).toEqual({ executable, args });
});
