// oxlint-disable-next-line import/no-unassigned-import -- the certificate library asks for it before it is loaded
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 3600 * 1000;

/** A certificate and its key, both PEM. */
export interface TestPair {
  readonly certificate: string;
  readonly key: string;
}

/** What a certificate of a test is to say. */
export interface TestLeaf {
  /** An address or a name; `127.0.0.1` unless the test wants another. */
  readonly name?: { readonly type: 'ip' | 'dns'; readonly value: string };
  /** Ends so many days from now; a negative number makes an expired one. */
  readonly days?: number;
}

/** A CA that only a test trusts. */
export interface TestCa {
  /** PEM. */
  readonly certificate: string;
  issue(leaf?: TestLeaf): Promise<TestPair>;
}

/** Makes a CA. */
export async function makeTestCa(): Promise<TestCa> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['test CA'] }],
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return {
    certificate: ca.toString('pem'),
    issue: async (leaf = {}) => issue(ca, keys.privateKey, leaf),
  };
}

async function issue(ca: x509.X509Certificate, signingKey: CryptoKey, leaf: TestLeaf): Promise<TestPair> {
  const { name = { type: 'ip', value: '127.0.0.1' }, days = 1 } = leaf;
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [{ CN: ['test server'] }],
    issuer: ca.subjectName,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(Date.now() - 30 * DAY_MS),
    notAfter: new Date(Date.now() + days * DAY_MS),
    extensions: [new x509.SubjectAlternativeNameExtension([name])],
  });
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { certificate: certificate.toString('pem'), key };
}
