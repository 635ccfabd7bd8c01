import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import { CONNECTION_USES, readHandshake, type ReceivedHeaders } from '@fenestra/contracts';
import type { Authority } from '../certificates/authority.ts';
import { publicKeyHash } from '../certificates/key-pair.ts';
import { isLegacyCertificate, nodeOfCertificate } from '../certificates/node-request.ts';
import type { AdmittedNode } from '../hub/session.ts';

/** What decides whether a node may connect. */
interface Admission {
  readonly headers: ReceivedHeaders;
  readonly peer: Peer;
  readonly now: Date;
  readonly isRevoked: (node: string, keyHash: string) => boolean;
  /** Projects nodes may belong to. */
  readonly projects: readonly string[];
  readonly isConnected: (node: string) => boolean;
  readonly connected: number;
  readonly nodeLimit: number;
}

/** The node that may connect, or the HTTP status and reason it is refused with. */
type Verdict = AdmittedNode | { readonly status: 400 | 401 | 403 | 503; readonly reason: string };

/** Judges a node's request to connect. Who it is stands in its certificate; what it says otherwise must agree. */
export function admit(admission: Admission): Verdict {
  const { peer, projects, now } = admission;
  const { nodeName, projectId, connectionUse } = readHandshake(admission.headers);
  if (peer.certificate === undefined) return { status: 401, reason: peer.problem };
  const node = nodeOfCertificate(peer.certificate);
  if (node === undefined) return { status: 403, reason: notANode(isLegacyCertificate(peer.certificate)) };
  const keyHash = publicKeyHash(peer.certificate);
  if (admission.isRevoked(node, keyHash)) return { status: 403, reason: `the certificate of "${node}" is revoked` };
  if (nodeName === '') return { status: 400, reason: 'the header "node_id" is missing' };
  if (nodeName !== node) {
    return { status: 403, reason: `the certificate is that of "${node}", not of "${nodeName.slice(0, 253)}"` };
  }
  if (!projects.includes(projectId))
    return { status: 403, reason: `the project "${projectId.slice(0, 64)}" is not known here` };
  if (connectionUse !== CONNECTION_USES.messages) {
    return { status: 400, reason: 'the header "ConnectionUse" must be "msg"' };
  }
  if (isAboveLimit(node, admission)) {
    return { status: 503, reason: `this cloud has its limit of ${admission.nodeLimit} nodes` };
  }
  const validMs = peer.certificate.validToDate.getTime() - now.getTime();
  return { node, keyHash, validMs };
}

/** A node that is connected already needs no further place. */
function isAboveLimit(node: string, { isConnected, connected, nodeLimit }: Admission): boolean {
  return connected >= nodeLimit && !isConnected(node);
}

function notANode(legacy: boolean): string {
  if (legacy) return 'the certificate is of the old kind, which names no node: join the node again';
  return 'the certificate is not that of a node';
}

/** Who is at the other end of a connection, as far as its certificate proves it. */
type Peer =
  | { readonly certificate: X509Certificate }
  /** Why there is no certificate to believe, in words for the log of the other side. */
  | { readonly certificate?: undefined; readonly problem: string };

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';

const PROBLEMS = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet: is a clock wrong?',
  INVALID_PURPOSE: 'the certificate is not one for clients',
} as const;

/** The client's certificate if our CA signed it and it is valid now. A resumed TLS session does not make it valid longer. */
export function peerOf(socket: unknown, now: Date): Peer {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  if (!(socket instanceof TLSSocket) || certificate === undefined) return { problem: 'no certificate was shown' };
  if (!socket.authorized) return { problem: describe(socket.authorizationError) };
  // OpenSSL accepts a client certificate that names no usage at all.
  if (!certificate.keyUsage?.includes(CLIENT_AUTHENTICATION)) return { problem: PROBLEMS.INVALID_PURPOSE };
  if (certificate.validToDate < now) return { problem: 'the certificate has expired' };
  return { certificate };
}

/** The client's certificate if our CA signed it, even if it has expired. It proves which machine this is, and no more. */
export function knownPeerOf(socket: unknown, authority: Authority): X509Certificate | undefined {
  const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  const isOurs = certificate?.verify(new X509Certificate(authority.certificate).publicKey) === true;
  return isOurs && certificate.keyUsage?.includes(CLIENT_AUTHENTICATION) ? certificate : undefined;
}

function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return (
    Object.entries(PROBLEMS).find(([known]) => known === code)?.[1] ??
    "the certificate was not signed by this cloud's CA"
  );
}
