import { X509Certificate, createPrivateKey, type KeyObject } from 'node:crypto';
import { nodeCommonName } from '@fenestra/contracts';

/** Who this node is towards the cloud, and whom it believes. All PEM. */
export interface NodeIdentity {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

/** What is wrong with an identity; `undefined` if it can be used. `expired` is by this machine's clock. */
export type IdentityFlaw =
  | 'unreadable'
  | 'key does not match'
  | 'made out to another node'
  | 'of another CA'
  | 'expired';

/** From when to when a certificate is valid. */
export interface Validity {
  readonly from: Date;
  readonly until: Date;
}

/** Looks for what keeps an identity from being used by the node of this name. */
export function findFlaw(identity: NodeIdentity, nodeName: string, now: Date): IdentityFlaw | undefined {
  const certificate = readCertificate(identity.certificate);
  const ca = readCertificate(identity.ca);
  const key = readKey(identity.key);
  if (certificate === undefined || ca === undefined || key === undefined) return 'unreadable';
  if (!certificate.checkPrivateKey(key)) return 'key does not match';
  if (commonNameOf(certificate) !== nodeCommonName(nodeName)) return 'made out to another node';
  if (!certificate.verify(ca.publicKey)) return 'of another CA';
  return certificate.validToDate.getTime() <= now.getTime() ? 'expired' : undefined;
}

/** When the certificate of an identity is valid. */
export function validityOf({ certificate }: NodeIdentity): Validity {
  const { validFromDate, validToDate } = new X509Certificate(certificate);
  return { from: validFromDate, until: validToDate };
}

/** Reads a certificate, DER or PEM; `undefined` if it is none. */
export function readCertificate(bytes: string | Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

/** Whether this is a private key in PEM. */
export function isPrivateKey(pem: string): boolean {
  return readKey(pem) !== undefined;
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

function commonNameOf({ subject }: X509Certificate): string | undefined {
  return /^CN=(.*)$/m.exec(subject)?.[1];
}
