import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { memorySecrets, type MemorySecrets } from '../testing/memory-secrets.ts';
import { nodeCredentials } from '../testing/test-cloud.ts';
import { alternativeNames } from './sign-certificate.ts';
import { newAuthority, openAuthority, type Authority } from './authority.ts';
import { toPem } from './key-pair.ts';
import { openCa } from './open-ca.ts';
import { isDueForRenewal, openServerCertificate } from './server-certificate.ts';

const NO_FILES = { certificate: '', key: '' };
const NOW = new Date('2026-11-15T12:00:00Z');
const { signal } = new AbortController();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloudcore-'));
});

afterAll(async () => rm(folder, { recursive: true }));

test('openCa: makes a CA as upstream does and keeps it in the secret', async () => {
  const store = memorySecrets();
  const authority = await openCa(store, NO_FILES, NOW, signal);
  const certificate = new X509Certificate(authority.certificate);
  expect(certificate.subject).toBe('CN=KubeEdge');
  expect(certificate.serialNumber).toBe('0400');
  expect(certificate.ca).toBe(true);
  expect(store.secrets.get('casecret')?.['cadata']).toEqual(authority.certificate);
  expect((await openCa(store, NO_FILES, NOW, signal)).pem).toBe(authority.pem);
});

test('openCa: two replicas that start at once share one CA', async () => {
  const store = memorySecrets();
  const [left, right] = await Promise.all([openCa(store, NO_FILES, NOW, signal), openCa(store, NO_FILES, NOW, signal)]);
  expect(left.pem).toBe(right.pem);
});

test("openCa: the operator's files come first and go to the secret", async () => {
  const store = memorySecrets();
  await openCa(store, NO_FILES, NOW, signal);
  const own = await newAuthority(NOW);
  const files = await writeFiles('own', toPem('CERTIFICATE', own.certificate), toPem('EC PRIVATE KEY', own.key));
  const authority = await openCa(store, files, NOW, signal);
  expect(authority.certificate.equals(own.certificate)).toBe(true);
  expect(store.secrets.get('casecret')?.['cakeydata']).toEqual(own.key);
});

test('openCa: a damaged secret is an error, and is never replaced by a new CA', async () => {
  const store = memorySecrets();
  const damaged = { cadata: Buffer.from('x'), cakeydata: Buffer.from('y') };
  store.secrets.set('casecret', damaged);
  await expect(openCa(store, NO_FILES, NOW, signal)).rejects.toMatchObject({ code: 'CERTIFICATE_INVALID' });
  expect(store.secrets.get('casecret')).toBe(damaged);
});

test("openCa: a CA's certificate without its key is an agent's, and is left alone", async () => {
  const { certificate } = await newAuthority(NOW);
  const files = await writeFiles('half', toPem('CERTIFICATE', certificate), undefined);
  const authority = await openCa(memorySecrets(), files, NOW, signal);
  expect(authority.certificate.equals(certificate)).toBe(false);
});

test("openServerCertificate: an agent's certificate in the default place is left alone", async () => {
  const { store, authority } = await someCa();
  const { cert, key } = await nodeCredentials({ authority }, 'edge-1');
  const files = await writeFiles('agent', cert, key);
  const names = alternativeNames(['10.0.0.1']);
  const opened = await openServerCertificate({ authority, files, names }, store, NOW, signal);
  expect(new X509Certificate(opened.cert).subject).toBe('O=KubeEdge\nCN=KubeEdge');
});

test("openServerCertificate: the operator's file is shown with all its certificates, not the first only", async () => {
  const { store, authority } = await someCa();
  const { cert, key } = await open(store, authority, ['10.0.0.1']);
  const files = await writeFiles('chain', `${cert}${authority.pem}`, key);
  const names = alternativeNames(['10.0.0.1']);
  const opened = await openServerCertificate({ authority, files, names }, memorySecrets(), NOW, signal);
  expect(opened.cert).toBe(`${cert}${authority.pem}`);
});

test('openServerCertificate: keeps a certificate that is good, and makes one that adds a new address to the old ones', async () => {
  const { store, authority } = await someCa();
  const first = await open(store, authority, ['10.0.0.1', 'cloud.example', '']);
  const same = await open(store, authority, ['10.0.0.1']);
  expect(same.cert).toBe(first.cert);
  const wider = await open(store, authority, ['10.0.0.2']);
  expect(new X509Certificate(wider.cert).subjectAltName).toBe(
    'IP Address:10.0.0.1, IP Address:10.0.0.2, DNS:cloud.example',
  );
});

test('openServerCertificate: renews in time, and at once when the CA has changed', async () => {
  const { store, authority } = await someCa();
  const first = await open(store, authority, ['10.0.0.1']);
  const later = new Date(NOW.getTime() + 300 * 24 * 60 * 60 * 1000);
  expect(isDueForRenewal(first, NOW)).toBe(false);
  expect(isDueForRenewal(first, later)).toBe(true);
  const renewed = await open(store, authority, ['10.0.0.1'], later);
  expect(renewed.notAfter > first.notAfter).toBe(true);
  const other = await openAuthority(await newAuthority(NOW), 'the test');
  const foreign = await open(store, other, ['10.0.0.1'], later);
  expect(new X509Certificate(foreign.cert).verify(new X509Certificate(other.certificate).publicKey)).toBe(true);
});

async function someCa(): Promise<{ store: MemorySecrets; authority: Authority }> {
  const store = memorySecrets();
  return { store, authority: await openCa(store, NO_FILES, NOW, signal) };
}

async function open(store: MemorySecrets, authority: Authority, names: readonly string[], now = NOW) {
  return openServerCertificate({ authority, files: NO_FILES, names: alternativeNames(names) }, store, now, signal);
}

async function writeFiles(name: string, certificate: string, key: string | undefined) {
  const files = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  await writeFile(files.certificate, certificate);
  if (key !== undefined) await writeFile(files.key, key);
  return files;
}
