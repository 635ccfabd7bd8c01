import { readFile } from 'node:fs/promises';
import { CLOUD_SECRETS } from '@fenestra/contracts';
import { fileError, OperatorError, systemCodeOf } from '@fenestra/kernel';
import type { SecretData, SecretStore } from '@fenestra/lifecycle/cloud';
import { type Authority, newAuthority, openAuthority } from './authority.ts';
import { type CertificateAndKey, fromPem, pemCertificates } from './key-pair.ts';

const { name: SECRET, certificate: CERTIFICATE, key: KEY } = CLOUD_SECRETS.ca;

/**
 * Opens the cloud's CA: from the operator's files, else from the secret, else a new one. The secret holds it
 * afterwards, so that all replicas share it; one that is there but unusable is never replaced.
 */
export async function openCa(
  store: SecretStore,
  files: CertificateFiles,
  now: Date,
  signal: AbortSignal,
): Promise<Authority> {
  const given = await readCertificateFiles(files);
  if (given !== undefined) {
    const authority = await openAuthority(given, `"${files.certificate}"`);
    await store.update(SECRET, (current) => ({ ...current, ...toData(given) }), signal);
    return authority;
  }
  const existing = await store.read(SECRET, signal);
  const data = existing && isFilled(existing) ? existing : await createCa(store, now, signal);
  return openAuthority(fromData(data), `the secret "${SECRET}"`);
}

/** Of two replicas that start at once, both use what the faster one has stored. */
async function createCa(store: SecretStore, now: Date, signal: AbortSignal): Promise<SecretData> {
  const made = toData(await newAuthority(now));
  return store.update(SECRET, (current) => (current && isFilled(current) ? current : { ...current, ...made }), signal);
}

function isFilled(data: SecretData): boolean {
  return [CERTIFICATE, KEY].some((key) => (data[key]?.length ?? 0) > 0);
}

function toData({ certificate, key }: CertificateAndKey): SecretData {
  return { [CERTIFICATE]: certificate, [KEY]: key };
}

function fromData(data: SecretData): CertificateAndKey {
  return { certificate: data[CERTIFICATE] ?? Buffer.alloc(0), key: data[KEY] ?? Buffer.alloc(0) };
}

/** Where an operator may have put a certificate and its key (PEM). */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Reads both files; undefined unless both are there: an agent on the same machine keeps the CA's certificate, without
 * its key, in the very place upstream's defaults name.
 */
export async function readCertificateFiles(files: CertificateFiles): Promise<CertificateAndKey | undefined> {
  const [certificate, key] = await Promise.all([readPem(files.certificate), readPem(files.key)]);
  if (certificate === undefined || key === undefined) return undefined;
  return { certificate: certificate.bytes, key: key.bytes, chain: pemCertificates(certificate.text) };
}

async function readPem(path: string): Promise<{ readonly text: string; readonly bytes: Buffer } | undefined> {
  if (path === '') return undefined;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read "${path}"`);
  });
  if (text === undefined) return undefined;
  const bytes = fromPem(text);
  if (bytes !== undefined) return { text, bytes };
  throw new OperatorError('CERTIFICATE_INVALID', `Cannot read "${path}": there is no PEM block in it`, {
    hint: 'Replace the file with one in PEM form, or remove it.',
  });
}
