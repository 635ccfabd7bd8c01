import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CLOUD_CERTIFICATE } from '../join/testing/cloud-certificate.ts';
import { testLayout } from '../testing/test-layout.ts';
import { testNode } from '../testing/test-node.ts';
import { certificateFileOf, certifiedName } from './certified-name.ts';
import { NODE_CERTIFICATE } from './testing/node-certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'certified-name-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["a node's certificate", NODE_CERTIFICATE, 'press-7'],
  ['a certificate for something else', CLOUD_CERTIFICATE, undefined],
  ['a file that is not a certificate', 'text', undefined],
])('%s gives the name %s', async (_, pem, name) => {
  const file = join(folder, 'server.crt');
  writeFileSync(file, pem);
  expect(await certifiedName(file)).toBe(name);
});

test('a certificate that is not there gives no name', async () => {
  expect(await certifiedName(join(folder, 'none.crt'))).toBeUndefined();
});

test('without a usable configuration the certificate is where a join puts it', () => {
  expect(certificateFileOf(testLayout, testNode.config)).toBe(testNode.config?.modules.edgeHub.tlsCertFile);
  expect(certificateFileOf(testLayout, undefined)).toBe(join(testLayout.configFolder, 'certs', 'server.crt'));
});
