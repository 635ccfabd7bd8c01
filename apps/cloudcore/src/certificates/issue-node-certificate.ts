import type { X509Certificate } from 'node:crypto';
import {
  readCertificateRequestHeaders,
  type CertificateRequestHeaders,
  type ReceivedHeaders,
} from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { verifyJoinToken } from '../token/sign-token.ts';
import { useToken } from '../token/used-tokens.ts';
import type { Authority } from './authority.ts';
import {
  isLegacyCertificate,
  nodeOfCertificate,
  readNodeRequest,
  refusedName,
  type NodeRequest,
} from './node-request.ts';
import { requireNodeName } from './node-name.ts';
import type { SecretStore } from './secret-store.ts';
import { signCertificate } from './sign-certificate.ts';

/** What issuing needs. */
export interface Issuer {
  readonly authority: Authority;
  readonly store: SecretStore;
  readonly now: () => Date;
  /** Read at every request, so that a reload can change it. */
  readonly days: () => number;
  /** Whether the cloud itself is reached under a name: no node may serve under it. */
  readonly isCloudName: (name: string) => boolean;
}

/** A request as it came in. */
export interface IncomingRequest {
  readonly headers: ReceivedHeaders;
  /** The caller's certificate, if it showed one that our CA has signed and that is valid now. */
  readonly peer: X509Certificate | undefined;
  readonly body: Buffer;
}

/** A certificate for a node, and how the node has shown that it may have it. */
export interface IssuedCertificate {
  readonly node: string;
  readonly proof: 'certificate' | 'token' | 'single-use token';
  readonly der: Buffer;
}

/**
 * Signs a node's certificate, only for the node the caller may be: the one its certificate names, or with a token the
 * one it asks for, or with a token for one node only that. Throws `TOKEN_INVALID` or `CERTIFICATE_INVALID`.
 */
export async function issueNodeCertificate(
  issuer: Issuer,
  incoming: IncomingRequest,
  signal: AbortSignal,
): Promise<IssuedCertificate> {
  const headers = readCertificateRequestHeaders(incoming.headers);
  const node = requireNodeName(headers.nodeName);
  const proof = await prove(issuer, headers, incoming.peer);
  if (headers.keyUsages.includes('serverAuth') && issuer.isCloudName(node)) throw refusedName(node);
  const request = await readNodeRequest(incoming.body, node, issuer.isCloudName);
  await proof.use(request, signal);
  const { subject, publicKey, ips, dns } = request;
  const wish = { subject, publicKey, usages: headers.keyUsages, names: { ips, dns }, days: issuer.days() };
  return { node, proof: proof.kind, der: await signCertificate(issuer.authority, wish, issuer.now()) };
}

interface Proof {
  readonly kind: IssuedCertificate['proof'];
  /** Called when nothing else can go wrong with the request. */
  use(request: NodeRequest, signal: AbortSignal): Promise<void>;
}

/** A token counts before a certificate: who sends one has no certificate that works any more. */
async function prove(
  issuer: Issuer,
  { nodeName, bearer }: CertificateRequestHeaders,
  peer: X509Certificate | undefined,
): Promise<Proof> {
  if (bearer !== undefined) return proveByToken(issuer, nodeName, bearer);
  if (peer === undefined) throw unproved('neither a join token nor a valid certificate came with it');
  if (nodeOfCertificate(peer) === nodeName) return { kind: 'certificate', use: async () => {} };
  if (isLegacyCertificate(peer)) throw unproved('its certificate is of the old kind, which names no node');
  throw unproved(`the certificate that came with it is not that of "${nodeName}"`);
}

async function proveByToken(issuer: Issuer, nodeName: string, bearer: string): Promise<Proof> {
  const { node, id, expiresAt = 0 } = await verifyJoinToken(issuer.authority, bearer, issuer.now());
  if (node !== undefined && node !== nodeName) throw unproved(`the join token is not for "${nodeName}"`);
  if (id === undefined) return { kind: 'token', use: async () => {} };
  return {
    kind: 'single-use token',
    use: async ({ publicKey }, signal) => useToken(issuer.store, { id, expiresAt, publicKey }, issuer.now(), signal),
  };
}

function unproved(reason: string): OperatorError {
  return new OperatorError('TOKEN_INVALID', `Cannot give a certificate: ${reason}`, {
    hint: 'Join the node again with a token from "keadm gettoken".',
  });
}
