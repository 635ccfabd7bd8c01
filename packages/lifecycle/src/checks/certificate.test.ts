import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLOUD_CERTIFICATE, CLOUD_KEY } from '../join/testing/cloud-certificate.ts';
import { findCertificate, type FoundCertificate } from './certificate.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-certificate-'));
});

afterAll(async () => rm(folder, { recursive: true }));

async function findWith(certificate: string, key: string): Promise<FoundCertificate['content']> {
  const paths = {
    certificateFile: join(folder, 'node.crt'),
    keyFile: join(folder, 'node.key'),
    caFile: join(folder, 'ca.crt'),
  };
  await writeFile(paths.certificateFile, certificate);
  await writeFile(paths.keyFile, key);
  await writeFile(paths.caFile, CLOUD_CERTIFICATE);
  return (await findCertificate(paths)).content;
}

test('a certificate is compared with its key and its CA', async () => {
  const other = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(await findWith(CLOUD_CERTIFICATE, CLOUD_KEY)).toMatchObject({ keyMatches: true, signedByCa: true });
  expect(await findWith(CLOUD_CERTIFICATE, other)).toMatchObject({ keyMatches: false, signedByCa: true });
});

test('a certificate that is damaged or missing is reported as such', async () => {
  expect(await findWith('no certificate', CLOUD_KEY)).toBe('damaged');
  const missing = join(folder, 'missing');
  const found = await findCertificate({ certificateFile: missing, keyFile: missing, caFile: missing });
  expect(found).toEqual({ file: missing, content: 'absent' });
});
