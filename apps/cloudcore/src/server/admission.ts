import { CONNECTION_USES, readHandshake, type ReceivedHeaders } from '@fenestra/contracts';
import { isLegacyCertificate, nodeOfCertificate } from '../certificates/node-request.ts';
import { publicKeyHash } from '../certificates/public-key-hash.ts';
import type { AdmittedNode } from '../hub/session.ts';
import type { Peer } from './peer-certificate.ts';

/** What decides whether a node may connect. */
export interface Admission {
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
export type Verdict = AdmittedNode | { readonly status: 400 | 401 | 403 | 503; readonly reason: string };

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
