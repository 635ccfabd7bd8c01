import { X509Certificate } from 'node:crypto';
import { CLOUD_SECRETS } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { type AlternativeNames, covers, joinNames, namesOf, signCertificate } from './sign-certificate.ts';
import { parseCertificate, type Authority } from './authority.ts';
import { readCertificateFiles, type CertificateFiles } from './open-ca.ts';
import {
  newPrivateKey,
  privateKeyBytes,
  publicKeyBytes,
  readPrivateKey,
  toPem,
  type CertificateAndKey,
} from './key-pair.ts';
import type { SecretData, SecretStore } from '@fenestra/lifecycle/cloud';
import { x509 } from './x509.ts';

/** What the cloud's servers show to nodes, in the form `node:tls` takes. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  readonly notAfter: Date;
}

/** What the server's certificate depends on. */
export interface ServerCertificateWish {
  readonly authority: Authority;
  readonly files: CertificateFiles;
  /** The addresses and names nodes reach this replica at. */
  readonly names: AlternativeNames;
}

const { name: SECRET, certificate: CERTIFICATE, key: KEY } = CLOUD_SECRETS.server;
const DAYS = 365;
/** Renewed when less than this part of its life is left. */
const RENEWAL_PART = 1 / 3;

/**
 * Opens the servers' certificate: from the operator's files, else from the secret if it is still good for all names,
 * else a new one that is also good for the names of the old one, which other replicas may have put there.
 */
export async function openServerCertificate(
  wish: ServerCertificateWish,
  store: SecretStore,
  now: Date,
  signal: AbortSignal,
): Promise<ServerCertificate> {
  const given = await readServerFiles(wish.files);
  const stored = given ?? fromData(await store.read(SECRET, signal));
  const current = stored && check(stored, wish, now);
  if (given !== undefined && current?.belongs !== true) throw mismatched(wish.files);
  if (stored !== undefined && (given !== undefined || current?.usable === true)) {
    if (given !== undefined) await store.update(SECRET, () => toData(given), signal);
    return toServerCertificate(stored, wish);
  }
  const names = current?.trusted ? joinNames(current.names, wish.names) : wish.names;
  const made = await issue(wish.authority, names, now);
  await store.update(SECRET, () => toData(made), signal);
  return toServerCertificate(made, wish);
}

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';

/** An agent on the same machine keeps its own certificate where upstream's defaults look for the server's. */
async function readServerFiles(files: CertificateFiles): Promise<CertificateAndKey | undefined> {
  const given = await readCertificateFiles(files);
  const uses = given && parseCertificate(given.certificate)?.keyUsage;
  return uses === undefined || uses.includes(SERVER_AUTH) ? given : undefined;
}

/** Whether it is time to open the certificate again. */
export function isDueForRenewal({ notAfter }: ServerCertificate, now: Date): boolean {
  return notAfter.getTime() - now.getTime() < DAYS * RENEWAL_PART * 24 * 60 * 60 * 1000;
}

interface Check {
  /** Certificate and key are a pair. */
  readonly belongs: boolean;
  /** Signed by our CA. */
  readonly trusted: boolean;
  readonly usable: boolean;
  readonly names: AlternativeNames;
}

function check({ certificate, key }: CertificateAndKey, { authority, names }: ServerCertificateWish, now: Date): Check {
  const parsed = parseCertificate(certificate);
  const privateKey = readPrivateKey(key);
  if (parsed === undefined || privateKey === undefined) {
    return { belongs: false, trusted: false, usable: false, names: { ips: [], dns: [] } };
  }
  const belongs = parsed.checkPrivateKey(privateKey);
  const trusted = parsed.verify(new X509Certificate(authority.certificate).publicKey);
  const fresh = !isDueForRenewal({ cert: '', key: '', ca: '', notAfter: parsed.validToDate }, now);
  return { belongs, trusted, usable: belongs && trusted && fresh && covers(parsed, names), names: namesOf(parsed) };
}

/** As upstream names it. */
async function issue(authority: Authority, names: AlternativeNames, now: Date): Promise<CertificateAndKey> {
  const privateKey = newPrivateKey();
  const subject = new x509.Name([{ O: ['KubeEdge'] }, { CN: ['KubeEdge'] }]);
  const publicKey = publicKeyBytes(privateKey);
  const wish = { subject, publicKey, usages: ['serverAuth'] as const, names, days: DAYS };
  return { certificate: await signCertificate(authority, wish, now), key: privateKeyBytes(privateKey) };
}

function toServerCertificate(opened: CertificateAndKey, wish: ServerCertificateWish): ServerCertificate {
  const { certificate, key, chain = '' } = opened;
  const pem = readPrivateKey(key)?.export({ type: 'pkcs8', format: 'pem' });
  return {
    cert: chain || toPem('CERTIFICATE', certificate),
    key: String(pem),
    ca: wish.authority.pem,
    notAfter: new X509Certificate(certificate).validToDate,
  };
}

function toData({ certificate, key }: CertificateAndKey): SecretData {
  return { [CERTIFICATE]: certificate, [KEY]: key };
}

function fromData(data: SecretData | undefined): CertificateAndKey | undefined {
  const certificate = data?.[CERTIFICATE];
  const key = data?.[KEY];
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
}

function mismatched({ certificate, key }: CertificateFiles): OperatorError {
  return new OperatorError('CERTIFICATE_INVALID', `Cannot use "${certificate}": "${key}" is not its key`, {
    hint: 'Restore the matching pair, or remove both files: the cloud then creates new ones.',
  });
}
