import { expect, test } from 'vitest';
import { lintFile, type LintedDocument } from './lint-file.ts';
import { config, kubeadmConfig, message, part } from './testing/documents.ts';

const CONTEXT = { version: '1.1.4', service: undefined } as const;

function lint(text: string): readonly LintedDocument[] {
  return lintFile(Buffer.from(text), CONTEXT);
}

test.each([
  ['a tag of EC2 in a content', ['files:', '  - path: C:\\x.htm', '    content: <script>x</script>']],
  ['a tag of EC2 in a command', ['preKubeadmCommands:', '  - echo "<powershell>"']],
  ['a MIME type in a command', ['preKubeadmCommands:', '  - echo "Content-Type: multipart/form-data"']],
  ['a message of MIME in a content', ['files:', '  - path: C:\\x', '    content: |', '      Content-Type: multipart']],
])('a KubeadmConfig with %s is one', (_, lines) => {
  const lf = kubeadmConfig('preKubeadmComands: []', ...lines);
  for (const text of [lf, lf.replaceAll('\n', '\r\n')]) {
    const [document] = lint(text);
    expect(document?.origin).toBe('KubeadmConfig');
    expect(document?.findings.map(({ rule, line }) => `${rule} ${line}`)).toContain('capi-field 5');
  }
});

const OBJECT = 'kind: KubeadmConfig\nspec: {}\n';

test.each([
  ['a script', `#ps1\n$x = @'\n${OBJECT}'@\n`],
  ['a script of EC2', `\n<powershell>\n$x = @'\n${OBJECT}'@\n</powershell>\n`],
  ['a script of cmd.exe', `rem cmd\n${OBJECT}`],
  ['a cloud-config', config(OBJECT)],
  ['a template', `## template: jinja\n${config(OBJECT)}`],
  ['a message', message(part('text/plain', OBJECT))],
  ['a message with other headers first', `Subject: x\n  y\n${message(part('text/plain', OBJECT))}`],
  ['a certificate', `-----BEGIN CERTIFICATE-----\n${OBJECT}`],
])('%s that only speaks of a KubeadmConfig is user-data', (_, text) => {
  expect(lint(text).map(({ origin }) => origin)).toEqual(['user-data']);
});

function findingsOf(text: string): readonly string[] {
  return lint(text).flatMap(({ findings }) =>
    findings.map((finding) => `${finding.rule} ${finding.line} ${finding.message}`),
  );
}

test.each([
  ['runcmd: [dir\n', '2 the [ that starts here is not closed'],
  ['runcmd: [dir\nusers: []\n', '2 the [ that starts here is not closed before a line that is not indented enough'],
  ['runcmd:\n  - {a: [b]\n\n\n', '3 the { that starts here is not closed'],
  ['runcmd:\n  - "abc\nusers: []\n', '3 the " that starts here is not closed'],
])('an unclosed bracket or quote is reported at its start: %j', (text, words) => {
  expect(findingsOf(`#cloud-config\n${text}`)).toEqual([`yaml-invalid ${words}`]);
  const object = `kind: KubeadmConfig\n${text}`;
  expect(findingsOf(object)).toEqual([`yaml-invalid ${words}`]);
});

test('a mistake at the end of a file is reported in its last line', () => {
  const [document] = lint('#cloud-config\nruncmd: !x\nusers\n\n');
  expect(document?.findings.every(({ line }) => line <= 3)).toBe(true);
});

test('a repeated key of a KubeadmConfig is reported in the line of the second', () => {
  expect(findingsOf(kubeadmConfig('preKubeadmCommands: [dir]', 'files: []', '"preKubeadmCommands": [cd]'))).toEqual([
    'key-repeated 7 "preKubeadmCommands" is repeated, which kubectl rejects',
  ]);
});
