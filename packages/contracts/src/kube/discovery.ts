import { createHash, X509Certificate } from 'node:crypto';
import { OperatorError } from '@fenestra/kernel';

/** A bootstrap token taken apart. The secret is never printed. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
}

const BOOTSTRAP_TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

/** Takes a bootstrap token apart, or throws `TOKEN_INVALID`, never quoting it. */
export function parseBootstrapToken(text: string): BootstrapToken {
  const [, id, secret] = BOOTSTRAP_TOKEN.exec(text.trim()) ?? [];
  if (id !== undefined && secret !== undefined) return { id, secret };
  throw new OperatorError('TOKEN_INVALID', `Cannot read the bootstrap token: ${TOKEN_SHAPE}`, {
    hint: 'Create one with "kubeadm token create" on the control plane and copy all of it.',
  });
}

/** The token as one text again. */
export function bootstrapTokenText({ id, secret }: BootstrapToken): string {
  return `${id}.${secret}`;
}

const TOKEN_SHAPE =
  'it must be six characters, a dot and sixteen characters, all of them lower-case letters and digits';

/** The hash of a CA's public key, by which a cluster is known before anything of it is believed. */
interface Pin {
  readonly algorithm: 'sha256';
  /** Hex in lower case. */
  readonly digest: string;
}

/** Reads a pin such as `sha256:1f…`, in either case, or throws `USAGE` saying what is wrong with it. */
export function parsePin(text: string): Pin {
  const problem = pinProblem(text);
  if (problem !== undefined) throw malformed(problem);
  return { algorithm: 'sha256', digest: (text.trim().split(':')[1] ?? '').toLowerCase() };
}

/** What is wrong with the form of a pin; `undefined` if nothing is. */
export function pinProblem(text: string): string | undefined {
  const parts = text.trim().split(':');
  const [algorithm = '', digest = ''] = parts;
  if (parts.length !== 2) return 'must be "sha256:" and the hash';
  if (algorithm.toLowerCase() !== 'sha256') return 'must begin with "sha256:"';
  if (!/^[0-9a-f]*$/i.test(digest)) return 'must have only hex digits after "sha256:"';
  return digest.length === DIGEST_DIGITS ? undefined : `must have ${DIGEST_DIGITS} hex digits after "sha256:"`;
}

/** The pin of a certificate (PEM): the hash of its public key, so it survives a renewal with the same key. */
export function pinOf(certificatePem: string): string {
  const key = new X509Certificate(certificatePem).publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}

/** Whether any certificate of a bundle is one of the pinned. */
export function pinnedCa(caBundlePem: string, pins: readonly Pin[]): boolean {
  return pinnedIn(caBundlePem, pins).length > 0;
}

/** The pinned certificates of a bundle: the only ones that may vouch for anyone until the bundle is believed. */
export function pinnedIn(caBundlePem: string, pins: readonly Pin[]): readonly string[] {
  const digests = new Set(pins.map(({ digest }) => `sha256:${digest}`));
  return certificatesIn(caBundlePem).filter((certificate) => digests.has(pinOf(certificate)));
}

/** Whether two bundles have a CA in common, if only by its key: then they are of one cluster. */
export function shareCa(one: string, other: string): boolean {
  const pins = certificatesIn(one).map((certificate) => parsePin(pinOf(certificate)));
  return pinnedCa(other, pins);
}

const DIGEST_DIGITS = 64;

function certificatesIn(bundle: string): readonly string[] {
  return (bundle.match(CERTIFICATE) ?? []).filter(isCertificate);
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** What cannot be read cannot be pinned; the others in the bundle still can. */
function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function malformed(problem: string): OperatorError {
  return new OperatorError('USAGE', `Cannot read the hash of the CA: it ${problem}`, {
    hint: 'Copy it from "kubeadm token create --print-join-command" on the control plane.',
  });
}
