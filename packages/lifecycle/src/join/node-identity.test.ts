import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgecoreDefaults } from '@fenestra/contracts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasCertificateOf } from './node-identity.ts';
import { CLOUD_CERTIFICATE, NODE_CERTIFICATE } from './testing/cloud-certificate.ts';

const { modules, ...rest } = edgecoreDefaults('linux');
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'identity-'));
});
afterEach(async () => rm(folder, { recursive: true }));

/** Whether a machine with these files has a certificate of "press-7". */
async function hasCertificate(files: Readonly<Record<string, string>>): Promise<boolean> {
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const paths = { tlsCertFile: join(folder, 'certificate'), tlsPrivateKeyFile: join(folder, 'key') };
  const config = { ...rest, modules: { ...modules, edgeHub: { ...modules.edgeHub, ...paths } } };
  return hasCertificateOf('press-7', config);
}

test('a certificate proves a name only with its key', async () => {
  expect(await hasCertificate({})).toBe(false);
  expect(await hasCertificate({ certificate: NODE_CERTIFICATE })).toBe(false);
  expect(await hasCertificate({ key: 'the key' })).toBe(true);
});

test.each([
  ['of something else', CLOUD_CERTIFICATE],
  ['that is damaged', 'damaged'],
])('a certificate %s proves no name', async (_which, certificate) => {
  expect(await hasCertificate({ certificate, key: 'the key' })).toBe(false);
});
