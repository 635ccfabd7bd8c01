import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { constantOf } from './constant.ts';
import { parseHcl } from './parse.ts';
import { callsIn, referencesIn } from './references.ts';
import { HclError } from './token.ts';
import { tokenizeTemplate } from './tokenize.ts';

const valueIn = (text: string) => parseHcl(`a = ${text}`).attributes[0]?.value ?? [];

test('parseHcl reads blocks, labels, attributes and comments of all kinds', () => {
  const body = parseHcl(`# one
// two
/* three
*/
source "qemu" "image" {
  disk_size = 80 // gigabytes
  nested { on = true }
}
`);
  expect(body).toMatchObject({
    attributes: [],
    blocks: [
      {
        type: 'source',
        labels: ['qemu', 'image'],
        line: 5,
        body: { attributes: [{ name: 'disk_size', line: 6 }], blocks: [{ type: 'nested', line: 7 }] },
      },
    ],
  });
});

test('a list or a call may go over several lines, an object too', () => {
  const { attributes } = parseHcl('a = [\n 1,\n 2,\n]\nb = f(\n "x",\n {\n c = 1\n d = 2 }\n)\ne = 3\n');
  expect(attributes.map(({ name, line }) => [name, line])).toEqual([
    ['a', 1],
    ['b', 5],
    ['e', 11],
  ]);
});

test.each([
  ['"a\\tb \\"c\\" \\u00e4"', 'a\tb "c" ä'],
  ['"$${not} %%{not}"', '${not} %{not}'],
  ['-1.5e3', -1500],
  ['[1, "b", true, null,]', [1, 'b', true, null]],
  ['{ a = 1, "b c" : [2]\n d = {} }', { a: 1, 'b c': [2], d: {} }],
  ['<<EOT\none\n  two\nEOT', 'one\n  two\n'],
  ['<<-EOT\n    x\n    EOT', '    x\n'],
])('constantOf %s', (text, value) => {
  expect(constantOf(valueIn(text))).toEqual(value);
});

test.each(['var.x', '"a${var.x}"', 'f(1)', '1 + 1', '[var.x]'])(
  'constantOf knows that %s depends on something',
  (text) => {
    expect(constantOf(valueIn(text))).toBeUndefined();
  },
);

test('referencesIn finds names in expressions, texts and heredocs, with their lines', () => {
  const value = valueIn('concat([var.one], ["${path.root}/${local.two}"], [for x in var.three : x.name if x.on])');
  expect(referencesIn(value).map(({ root, names }) => [root, ...names].join('.'))).toEqual([
    'var.one',
    'path.root',
    'local.two',
    'for',
    'x',
    'in',
    'var.three',
    'x.name',
    'if',
    'x.on',
  ]);
  const [reference] = referencesIn(valueIn('<<EOT\none\n${var.late}\nEOT\n'));
  expect(reference).toEqual({ root: 'var', names: ['late'], line: 3 });
});

test('callsIn finds calls within calls and texts', () => {
  const calls = callsIn(valueIn('base64encode(templatefile("${path.root}/x", { a = f(1), b = 2 }))'));
  expect(calls.map(({ name, args }) => [name, args.length])).toEqual([
    ['base64encode', 1],
    ['templatefile', 2],
    ['f', 1],
  ]);
});

test.each([
  ['a = "x', 1, 'begins a text that has no closing quote'],
  ['a = 1\nb = <<EOT\nx\n', 2, 'begins a text that has no closing "EOT"'],
  ['a = "\\d"', 1, 'has an escape that does not exist: "\\d"; a backslash is written "\\\\"'],
  ['a = [1\n', 1, 'has an opening bracket without its "]"'],
  ['a = (1]', 1, 'has a closing "]" that closes nothing'],
  ['b {\n a = 1\n', 1, 'begins a block "b" that has no closing "}"'],
  ['a = 1\n}\n', 2, 'has a closing "}" too many'],
  ['a =\n', 1, 'gives "a" no value'],
  ['= 1', 1, 'must begin with the name of an attribute or a block'],
  ['a 5', 1, 'must be "a = …" or a block "a { … }"'],
  ['a = 1 @', 1, 'has a character that means nothing here: "@"'],
  ['a = "${var.x"', 1, 'begins a text that has no closing quote'],
  ['/* never', 1, 'begins a comment that has no end'],
])('parseHcl tells the line of what is no HCL: %j', (text, line, message) => {
  expect(() => parseHcl(text)).toThrow(expect.objectContaining({ name: 'HclError', line, message }));
});

test('tokenizeTemplate tells values from directives', () => {
  const parts = tokenizeTemplate('a %{ if x }${y}%{ endif ~}\n$${z}');
  expect(parts.map(({ kind }) => kind)).toEqual(['text', 'directive', 'value', 'directive', 'text']);
});

test('parseHcl ends on any text, with a tree or with the line of a mistake', () => {
  const pieces = fc.constantFrom(
    'a',
    '"',
    '{',
    '}',
    '[',
    ']',
    '=',
    '\n',
    '${',
    '%{',
    '<<EOT\n',
    'EOT',
    '\\',
    ' ',
    '#',
    '1',
    '.',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (texts) => {
      try {
        parseHcl(texts.join(''));
      } catch (error) {
        expect(error).toBeInstanceOf(HclError);
      }
    }),
  );
});
