// oxlint-disable-next-line import/no-unassigned-import -- @peculiar/x509 needs it loaded and exports nothing itself.
import 'reflect-metadata';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type JsonGeneralNames,
  type PublicKeyType,
} from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const HOUR = 3_600_000;

/** How long a certificate is valid, relative to now. */
export interface Life {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A certificate and its key in PEM. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** A CA of a cloud, made for a test. */
export interface Authority {
  readonly pem: string;
  readonly der: Buffer;
  serve(names: JsonGeneralNames, life?: Life): Promise<Pair>;
  /** Signs what a node asks for; returns DER. */
  sign(request: Uint8Array, life: Life): Promise<Buffer>;
  /** A join token, as upstream makes them. */
  token(expiresAt: number): string;
  accepts(jwt: string, now: number): boolean;
}

/** Makes a CA. */
export async function makeAuthority(life: Life = { fromMs: -HOUR, untilMs: 1000 * HOUR }): Promise<Authority> {
  const keys = await newKeys();
  const secret = randomBytes(32);
  const issue = async (subject: string, publicKey: PublicKeyType, usage: string, names: JsonGeneralNames, span: Life) =>
    X509CertificateGenerator.create({
      serialNumber: randomBytes(8).toString('hex'),
      subject,
      issuer: ca.subject,
      publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: ALGORITHM,
      ...dates(span),
      extensions: [
        new ExtendedKeyUsageExtension([usage]),
        ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
      ],
    });
  const ca = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=KubeEdge',
    keys,
    signingAlgorithm: ALGORITHM,
    ...dates(life),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  const der = Buffer.from(ca.rawData);
  return {
    pem: ca.toString('pem'),
    der,
    async serve(names, span = life) {
      const own = await newKeys();
      const certificate = await issue('CN=KubeEdge, O=KubeEdge', own.publicKey, SERVER_AUTH, names, span);
      return { certificate: certificate.toString('pem'), key: await pemOf(own.privateKey) };
    },
    async sign(request, span) {
      const asked = new Pkcs10CertificateRequest(new Uint8Array(request));
      const certificate = await issue(asked.subject, asked.publicKey, CLIENT_AUTH, [], span);
      return Buffer.from(certificate.rawData);
    },
    token: (expiresAt) => `${createHash('sha256').update(der).digest('hex')}.${signJwt(secret, expiresAt)}`,
    accepts: (jwt, now) => isSigned(secret, jwt) && expiryOf(jwt) > now,
  };
}

async function newKeys() {
  return crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function dates({ fromMs, untilMs }: Life): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() + fromMs), notAfter: new Date(Date.now() + untilMs) };
}

async function pemOf(key: CryptoKey): Promise<string> {
  const base64 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signJwt(secret: Buffer, expiresAt: number): string {
  const body = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ exp: Math.floor(expiresAt / 1000) })}`;
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}

function isSigned(secret: Buffer, jwt: string): boolean {
  const [header = '', payload = '', signature] = jwt.split('.');
  return createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url') === signature;
}

function expiryOf(jwt: string): number {
  const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
  return typeof claims === 'object' && claims !== null && 'exp' in claims ? Number(claims.exp) * 1000 : 0;
}
