import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCommand, parseWords, quoteCommand, quoteWords } from './exec-words.ts';

const word = fc.string({
  unit: fc.constantFrom('a', ' ', '"', "'", '\\', '%', '$', '{', '\n', '\t', '\u0007', ';', 'n', 'x', 'é', '/'),
});

test('quoteWords and parseWords are inverse for any words', () => {
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(parseWords(quoteWords(words))).toEqual(words);
    }),
  );
});

test('quoteCommand and parseCommand are inverse for any arguments', () => {
  fc.assert(
    fc.property(word, fc.array(word), (name, args) => {
      const executable = `/opt/${name}`;
      expect(parseCommand(quoteCommand(executable, args))).toEqual({ executable, args });
    }),
  );
});

test('a quoted command stays on one line', () => {
  fc.assert(
    fc.property(fc.array(word), (args) => {
      expect(quoteCommand('/bin/x', args)).not.toMatch(/[\n\r]/);
    }),
  );
});

test('quoteCommand keeps systemd from expanding variables and specifiers', () => {
  expect(quoteCommand('/bin/x', ['$HOME', '100%', 'a "b" \\'])).toBe('"/bin/x" "$$HOME" "100%%" "a \\"b\\" \\\\"');
});

test('parseCommand reads what people write', () => {
  expect(parseCommand("-/usr/bin/x --flag 'two words' a\\ b")).toEqual({
    executable: '/usr/bin/x',
    args: ['--flag', 'two words', 'a b'],
  });
});
