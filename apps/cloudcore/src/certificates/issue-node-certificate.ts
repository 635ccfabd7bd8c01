import { createHash, type X509Certificate } from 'node:crypto';
import {
  readCertificateRequestHeaders,
  type CertificateRequestHeaders,
  type KeyUsage,
  type ReceivedHeaders,
} from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { verifyJoinToken } from '../token/sign-token.ts';
import { useToken } from '../token/used-tokens.ts';
import type { Authority } from './authority.ts';
import {
  isLegacyCertificate,
  nodeOfCertificate,
  nodeSubject,
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

/** What a caller proves its identity with. */
export interface PresentedProof {
  readonly headers: ReceivedHeaders;
  /** The caller's certificate, if it showed one that our CA has signed and that is valid now. */
  readonly peer: X509Certificate | undefined;
}

/** A caller that has proved that it may get a certificate for a node. */
export interface ProvedNode {
  readonly node: string;
  readonly usages: readonly KeyUsage[];
  readonly proof: Proof;
}

/**
 * Finds out for which node a caller may get a certificate: the one its certificate names, or with a token the one it
 * asks for, or with a token for one node only that. Throws `TOKEN_INVALID` or `CERTIFICATE_INVALID`.
 */
export async function proveNode(issuer: Issuer, presented: PresentedProof): Promise<ProvedNode> {
  const headers = readCertificateRequestHeaders(presented.headers);
  const node = requireNodeName(headers.nodeName);
  return { node, usages: headers.keyUsages, proof: await prove(issuer, headers, presented.peer) };
}

/** Signs what a proved node asks for (PKCS#10, DER); returns DER. Throws `TOKEN_INVALID` or `CERTIFICATE_INVALID`. */
export async function issueNodeCertificate(
  issuer: Issuer,
  { node, usages, proof }: ProvedNode,
  body: Buffer,
  signal: AbortSignal,
): Promise<Buffer> {
  if (usages.includes('serverAuth') && issuer.isCloudName(node)) throw refusedName(node);
  const request = await readNodeRequest(body, node, issuer.isCloudName);
  await proof.use(request, signal);
  const { publicKey, ips, dns } = request;
  const wish = { subject: nodeSubject(node), publicKey, usages, names: { ips, dns }, days: issuer.days() };
  return signCertificate(issuer.authority, wish, issuer.now());
}

interface Proof {
  readonly kind: 'certificate' | 'token' | 'single-use token';
  /** Identifies the token or certificate without revealing it. */
  readonly id: string;
  /** Called when nothing else can go wrong with the request. */
  use(request: NodeRequest, signal: AbortSignal): Promise<void>;
}

/** A token counts before a certificate: a node that sends one has no certificate that works any more. */
async function prove(
  issuer: Issuer,
  { nodeName, bearer }: CertificateRequestHeaders,
  peer: X509Certificate | undefined,
): Promise<Proof> {
  if (bearer !== undefined) return proveByToken(issuer, nodeName, bearer);
  if (peer === undefined) throw unproved('neither a join token nor a valid certificate came with it');
  if (nodeOfCertificate(peer) === nodeName) {
    return { kind: 'certificate', id: peer.fingerprint256, use: async () => {} };
  }
  if (isLegacyCertificate(peer)) throw unproved('its certificate is of the old kind, which names no node');
  throw unproved(`the certificate that came with it is not that of "${nodeName}"`);
}

async function proveByToken(issuer: Issuer, nodeName: string, bearer: string): Promise<Proof> {
  const { node, id, expiresAt = 0 } = await verifyJoinToken(issuer.authority, bearer, issuer.now());
  if (node !== undefined && node !== nodeName) throw unproved(`the join token is not for "${nodeName}"`);
  const tokenHash = createHash('sha256').update(bearer).digest('hex');
  if (id === undefined) return { kind: 'token', id: tokenHash, use: async () => {} };
  return {
    kind: 'single-use token',
    id: tokenHash,
    use: async ({ publicKey }, signal) => useToken(issuer.store, { id, expiresAt, publicKey }, issuer.now(), signal),
  };
}

function unproved(reason: string): OperatorError {
  return new OperatorError('TOKEN_INVALID', `Cannot issue a certificate: ${reason}`, {
    hint: 'Join the node again with a token from "keadm gettoken".',
  });
}
