import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from '../command/split-words.ts';
import { expandWildcards, type WildcardValue } from './node-command.ts';

const SECRET = { opaque: { from: 'env', name: 'T' } } as const;
const VALUES = new Map<string, WildcardValue>([
  ['cmd', 'join --x'],
  ['token', SECRET],
  ['labels.example.com/hall', '7'],
]);

const textOf = (template: string): string => expandWildcards(template, VALUES).parts.map(String).join('');

test('both forms are replaced, whatever blanks are in the braces', () => {
  expect(textOf('{{cmd}} {{.cmd}} {{ cmd }} {{ .cmd }}')).toBe('join --x join --x join --x join --x');
  expect(textOf('hall={{labels.example.com/hall}}')).toBe('hall=7');
});

test('a secret stays one part', () => {
  expect(expandWildcards('a{{token}}', VALUES)).toEqual({ parts: ['a', SECRET], problems: [] });
});

test.each([
  ['{{tokn}}', 'uses the undefined wildcard "tokn"; did you mean "token"?'],
  ['{{x}}', 'uses the undefined wildcard "x"; defined are "cmd", "token", "labels.example.com/hall"'],
  ['{{if .cmd}}', 'has a wildcard that is not a name: only "{{name}}" and "{{.name}}" are known'],
  ['{{}}', 'has a wildcard that is not a name: only "{{name}}" and "{{.name}}" are known'],
  ['{{cmd', 'has "{{" without its counterpart'],
  ['cmd}}', 'has "}}" without its counterpart'],
])('%s %s', (template, problem) => {
  expect(expandWildcards(template, VALUES).problems).toEqual([problem]);
});

test('all problems are reported', () => {
  expect(expandWildcards('{{a}} {{b}} }}', VALUES).problems).toHaveLength(3);
});

test('a text without braces is itself, and values are not looked through again', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, value) => {
      const plain = text.replaceAll(/[{}]/g, '');
      const { parts, problems } = expandWildcards(`${plain}{{v}}${plain}`, new Map([['v', value]]));
      expect({ text: plainText(parts), problems }).toEqual({ text: `${plain}${value}${plain}`, problems: [] });
    }),
  );
});
