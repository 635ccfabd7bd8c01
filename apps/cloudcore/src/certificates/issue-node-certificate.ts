import { createHash, type X509Certificate } from 'node:crypto';
import {
  readCertificateRequestHeaders,
  revokesKey,
  type CertificateRequestHeaders,
  type JoinClaims,
  type KeyUsage,
  type ReceivedHeaders,
  type Revocation,
} from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { openNodeKeys, openRevocations, type SecretStore } from '@fenestra/lifecycle/cloud';
import { useToken, verifyJoinToken } from '../token/join-tokens.ts';
import type { Authority } from './authority.ts';
import {
  isLegacyCertificate,
  nodeOfCertificate,
  type NodeRequest,
  nodeSubject,
  readNodeRequest,
  refusedName,
  requireNodeName,
} from './node-request.ts';
import { hashPublicKey, publicKeyHash } from './key-pair.ts';
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
  /** Whether a node of this name has joined and has not left. */
  readonly hasJoined: (node: string, signal: AbortSignal) => Promise<boolean>;
}

/** What a caller proves its identity with. */
export interface PresentedProof {
  readonly headers: ReceivedHeaders;
  /** The caller's certificate, if it showed one that our CA has signed and that is valid now. */
  readonly peer: X509Certificate | undefined;
  /** The same, but it may have expired. It proves which machine this is, and never more. */
  readonly knownPeer: X509Certificate | undefined;
}

/** A caller that has proved that it may get a certificate for a node. */
export interface ProvedNode {
  readonly node: string;
  readonly usages: readonly KeyUsage[];
  readonly proof: Proof;
}

interface Proof {
  readonly kind: 'certificate' | 'token' | 'single-use token';
  /** Identifies the token or certificate without revealing it. */
  readonly id: string;
  /** Fails if the proof does not hold against what the cloud remembers; uses a single-use token up. */
  use(request: NodeRequest, signal: AbortSignal): Promise<void>;
}

/**
 * Finds out for which node a caller may get a certificate: the one its certificate names, or with a token the one it
 * asks for, or with a token for one node only that. Throws `TOKEN_INVALID` or `CERTIFICATE_INVALID`.
 */
export async function proveNode(issuer: Issuer, presented: PresentedProof): Promise<ProvedNode> {
  const headers = readCertificateRequestHeaders(presented.headers);
  const node = requireNodeName(headers.nodeName);
  return { node, usages: headers.keyUsages, proof: await prove(issuer, headers, presented) };
}

/**
 * Signs what a proved node asks for (PKCS#10, DER); returns DER. Throws `TOKEN_INVALID`, `CERTIFICATE_INVALID`,
 * `NODE_REVOKED`, or `NODE_NAME_TAKEN` for a token without a name and the name of a node that has joined.
 */
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

/** A token counts before a certificate: a node that sends one has no certificate that works any more. */
async function prove(
  issuer: Issuer,
  { nodeName, bearer }: CertificateRequestHeaders,
  { peer, knownPeer }: PresentedProof,
): Promise<Proof> {
  if (bearer !== undefined) return proveByToken(issuer, { nodeName, bearer, knownPeer });
  if (peer === undefined) throw unproved('it contains neither a join token nor a valid certificate');
  if (nodeOfCertificate(peer) === nodeName) return proveByCertificate(issuer, nodeName, peer);
  if (isLegacyCertificate(peer)) throw unproved('its certificate is of the old kind, which names no node');
  throw unproved(`its certificate is not that of "${nodeName}"`);
}

function proveByCertificate(issuer: Issuer, node: string, peer: X509Certificate): Proof {
  return {
    kind: 'certificate',
    id: peer.fingerprint256,
    async use({ publicKey }, signal) {
      const revocation = await openRevocations(issuer.store).find(node, signal);
      const proved = publicKeyHash(peer);
      if (revokesKey(revocation, proved)) throw revoked(node, 'its certificate is revoked');
      await acceptKey(issuer, { node, revocation, publicKey, proved }, signal);
      await addKey(issuer, { node, keyHash: hashPublicKey(publicKey), proved }, signal);
    },
  };
}

interface TokenProof {
  readonly nodeName: string;
  readonly bearer: string;
  readonly knownPeer: X509Certificate | undefined;
}

async function proveByToken(issuer: Issuer, { nodeName, bearer, knownPeer }: TokenProof): Promise<Proof> {
  const claims = await verifyJoinToken(issuer.authority, bearer, issuer.now());
  const { node, id, expiresAt = 0 } = claims;
  if (node !== undefined && node !== nodeName) throw unproved(`the join token is not for "${nodeName}"`);
  return {
    kind: id === undefined ? 'token' : 'single-use token',
    id: createHash('sha256').update(bearer).digest('hex'),
    async use({ publicKey }, signal) {
      const revocation = await openRevocations(issuer.store).find(nodeName, signal);
      requireLifted(nodeName, revocation, claims);
      const proved = node === undefined ? await ownKey(issuer, nodeName, knownPeer, signal) : undefined;
      if (node === undefined && proved === undefined) await requireFreeName(issuer, nodeName, signal);
      if (id !== undefined) await useToken(issuer.store, { id, expiresAt, publicKey }, issuer.now(), signal);
      await acceptKey(issuer, { node: nodeName, revocation, publicKey }, signal);
      const keyHash = hashPublicKey(publicKey);
      if (node === undefined) await addKey(issuer, { node: nodeName, keyHash, proved }, signal);
      else await openNodeKeys(issuer.store).replace(nodeName, keyHash, signal);
    },
  };
}

/** A revoked node gets a certificate only by a token made for it after it was revoked. */
function requireLifted(node: string, revocation: Revocation | undefined, claims: JoinClaims): void {
  if (revocation === undefined || (claims.node === node && claims.revocation === revocation.id)) return;
  throw revoked(node, 'the token does not lift its revocation');
}

interface KeyToAccept {
  readonly node: string;
  readonly revocation: Revocation | undefined;
  readonly publicKey: Uint8Array;
  /** The key of the certificate to renew, if there is one. */
  readonly proved?: string;
}

/** Of a node that was revoked once, every key has to be accepted before a certificate for it exists. */
async function acceptKey(
  { store }: Issuer,
  { node, revocation, publicKey, proved }: KeyToAccept,
  signal: AbortSignal,
): Promise<void> {
  if (revocation === undefined) return;
  const accepted = { revocation: revocation.id, keyHash: hashPublicKey(publicKey), proved };
  if (!(await openRevocations(store).accept(node, accepted, signal))) throw revoked(node, 'it was revoked again');
}

/** The key of a certificate that shows that a machine has the node, unless another machine has replaced it since. */
async function ownKey(
  { store }: Issuer,
  node: string,
  certificate: X509Certificate | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (certificate === undefined || nodeOfCertificate(certificate) !== node) return undefined;
  const keyHash = publicKeyHash(certificate);
  const accepted = await openNodeKeys(store).find(node, signal);
  return accepted === undefined || accepted.includes(keyHash) ? keyHash : undefined;
}

/** Of a node that has joined by a token for its name, every further key has to be accepted, too. */
async function addKey(
  { store }: Issuer,
  { node, ...added }: { readonly node: string; readonly keyHash: string; readonly proved: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (await openNodeKeys(store).add(node, added, signal)) return;
  throw new OperatorError('NODE_REVOKED', `Cannot issue a certificate: another machine has joined as "${node}" since`, {
    hint: `If this machine is the node, join it with a token from "keadm gettoken --node ${node}".`,
  });
}

async function requireFreeName({ hasJoined }: Issuer, node: string, signal: AbortSignal): Promise<void> {
  if (!(await hasJoined(node, signal))) return;
  throw new OperatorError('NODE_NAME_TAKEN', `Cannot issue a certificate: a node "${node}" has joined already`, {
    hint: `If this machine replaces it, join with a token from "keadm gettoken --node ${node}".`,
  });
}

function unproved(reason: string): OperatorError {
  return new OperatorError('TOKEN_INVALID', `Cannot issue a certificate: ${reason}`, {
    hint: 'Join the node again with a token from "keadm gettoken".',
  });
}

function revoked(node: string, reason: string): OperatorError {
  return new OperatorError('NODE_REVOKED', `Cannot issue a certificate for the revoked node "${node}": ${reason}`, {
    hint: `To let it join again, use the token that "keadm node admit ${node}" prints.`,
  });
}
