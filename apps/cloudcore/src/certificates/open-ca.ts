import { CLOUD_SECRETS } from '@fenestra/contracts';
import { newAuthority, openAuthority, type Authority } from './authority.ts';
import { readCertificateFiles, type CertificateFiles } from './certificate-files.ts';
import type { CertificateAndKey } from './key-pair.ts';
import type { SecretData, SecretStore } from '@fenestra/lifecycle/cloud';

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
