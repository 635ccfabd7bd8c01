import { expect, test } from 'vitest';
import { lintFile } from './lint-file.ts';
import { kubeadmConfig } from './testing/documents.ts';

test('of content that a secret holds no size is told', () => {
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
