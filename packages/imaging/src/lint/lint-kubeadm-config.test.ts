import { expect, test } from 'vitest';
import { lintFile } from './lint-file.ts';
import { kubeadmConfig } from './testing/documents.ts';

test('the size of content from a secret is not reported', () => {
  const text = kubeadmConfig(
    'files:',
    '  - {path: C:/k/azure.json, contentFrom: {secret: {name: a, key: b}}}',
    '  - {path: C:/k/x, content: abc}',
  );
  const [document] = lintFile(Buffer.from(text), { version: '1.1.4', service: undefined });
  expect(document?.outcomes.map(({ effect }) => effect).slice(0, 2)).toEqual([
    String.raw`written to C:\k\azure.json, what a secret holds, with the rights of its folder`,
    expect.stringMatching(/^written to C:\\k\\x, \d bytes/),
  ]);
});

function fieldFindings(text: string): readonly string[] {
  return lintFile(Buffer.from(text), { version: '1.1.4', service: undefined }).flatMap(({ findings }) =>
    findings.flatMap(({ rule, line, message }) => (rule === 'capi-field' ? [`${line} ${message}`] : [])),
  );
}

test.each([
  [['joinConfiguration:', '  nodeRegistration:', '    foo: 1'], '7 there is no field "foo"'],
  [
    ['joinConfiguration:', '  nodeRegistration:', '    kubeletExtraArg: {}'],
    '7 there is no field "kubeletExtraArg"; did you mean "kubeletExtraArgs"?',
  ],
  [
    ['joinConfiguration:', '  discovery:', '    bootstrapToken:', '      tokn: x'],
    '8 there is no field "tokn"; did you mean "token"?',
  ],
  [['ntp:', '  foo: 1'], '6 there is no field "foo"'],
  [['users:', '  - {name: a, password: b}'], '6 there is no field "password"; did you mean "passwd"?'],
  [
    ['files:', '  - path: /x', '    contentFrom: {secret: {nam: a}}'],
    '7 there is no field "nam"; did you mean "name"?',
  ],
  [['preKubeadmCommands: dir'], '5 "preKubeadmCommands" must be a list of commands'],
  [['preKubeadmCommands:', '  - dir', '  - [dir]'], '7 it must be a text; put it in quotes'],
  [['users: foo'], '5 "users" must be a list of users'],
  [['joinConfiguration: [1]'], '5 "joinConfiguration" must be a mapping'],
  [['files:', '  - path: /x', '    permissions: 0644'], '7 "permissions" must be a text; put it in quotes'],
  [
    ['joinConfiguration:', '  nodeRegistration:', '    kubeletExtraArgs: {v: 2}'],
    '7 "v" must be a text; put it in quotes',
  ],
])('a field of another name or type is reported in its line: %j', (lines, expected) => {
  expect(fieldFindings(kubeadmConfig(...lines))).toEqual([expected]);
});

test('both forms of the arguments, and fields without a value, are taken', () => {
  const [map, list] = ['{v: "2"}', '[{name: v, value: "2"}]'].map((args) =>
    kubeadmConfig('ntp:', 'joinConfiguration:', '  nodeRegistration:', `    kubeletExtraArgs: ${args}`),
  );
  expect([map, list].flatMap((text) => fieldFindings(text ?? ''))).toEqual([]);
});

test.each([
  ['kind: KubeadmConfig\nspce:\n  files: []\n', ['2 there is no field "spce"; did you mean "spec"?']],
  ['kind: KubeadmConfig\nspec: {}\nfoo: 1\n', ['3 there is no field "foo"']],
  ['metadata: {name: x}\nkind: KubeadmConfig\n', ['2 it has no "spec"']],
  ['kind: KubeadmConfigTemplate\nspecc: {}\n', ['2 there is no field "specc"; did you mean "spec"?']],
  ['kind: KubeadmConfigTemplate\nspec:\n  templat: {}\n', ['3 there is no field "templat"; did you mean "template"?']],
  [
    'kind: KubeadmConfigTemplate\nspec:\n  template:\n    metadata: {}\n    specc: {}\n',
    ['5 there is no field "specc"; did you mean "spec"?'],
  ],
  ['kind: KubeadmConfigTemplate\nspec:\n  template:\n    spec: {}\n', []],
])('an object without its spec is reported: %j', (text, expected) => {
  expect(fieldFindings(text)).toEqual(expected);
});
