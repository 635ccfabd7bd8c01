import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { MAX_CERTIFICATE_REQUEST_BYTES, NODE_FOUND_TEXT, parseCloudRequest, revokesKey } from '@fenestra/contracts';
import { OperatorError, type ErrorCode } from '@fenestra/kernel';
import { openNodeKeys, openRevocations } from '@fenestra/lifecycle/cloud';
import { addressKey, type Logger } from '@fenestra/platform';
import {
  issueNodeCertificate,
  proveNode,
  type Issuer,
  type ProvedNode,
} from '../certificates/issue-node-certificate.ts';
import { nodeOfCertificate } from '../certificates/node-request.ts';
import { publicKeyHash } from '../certificates/key-pair.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import type { LeaveOutcome } from './leave-node.ts';
import { knownPeerOf, peerOf } from './admission.ts';
import { readBody } from './listen.ts';

/** What the endpoints of the certificate server work with. */
export interface CertificateEndpoints {
  readonly issuer: Issuer;
  /** Frees the name of a node; returns what became of its Node object. */
  readonly leave: (node: string, certificate: X509Certificate, signal: AbortSignal) => Promise<LeaveOutcome>;
  /** Bounds failed attempts: of a token or certificate at an address, and of everything unproved at an address. */
  readonly attempts: AttemptLimit;
  readonly log: Logger;
  /** Counts certificates that were given and refused. */
  readonly counts: CertificateCounts;
}

/** What the certificate server has done since it began. */
export interface CertificateCounts {
  issued: number;
  refused: number;
}

/** An answer, whole. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ANSWER_TIME_MS = 30_000;
const RETRY_AFTER_SECONDS = '60';

/** Answers as upstream does, and refuses in words that the log of the other side will show. */
export async function answerCertificateRequest(
  request: IncomingMessage,
  endpoints: CertificateEndpoints,
): Promise<Answer> {
  const asked = parseCloudRequest(request.method ?? '', request.url ?? '');
  const address = request.socket.remoteAddress ?? '';
  if (asked?.request === 'ca') return bytes(endpoints.issuer.authority.certificate);
  if (asked?.request === 'node-certificate') return answerNode(request, address, endpoints);
  if (asked?.request === 'leave') return leaveCloud(request, asked.nodeName, address, endpoints);
  const stranger = addressKey(address);
  if (endpoints.attempts.isExceeded(stranger)) return tooMany();
  endpoints.attempts.count(stranger);
  if (asked?.request === 'node') return findNode(asked.nodeName, endpoints);
  return text(404, 'There is nothing here');
}

/** A caller that proves nothing shares the attempts of its address; one that does has its own. */
async function answerNode(request: IncomingMessage, address: string, endpoints: CertificateEndpoints): Promise<Answer> {
  const { issuer } = endpoints;
  const peer = peerOf(request.socket, issuer.now()).certificate;
  const knownPeer = knownPeerOf(request.socket, issuer.authority);
  let attempts: Attempts = [{ key: addressKey(address), weight: 1 }];
  try {
    const proved = await proveNode(issuer, { headers: request.headers, peer, knownPeer });
    attempts = attemptsOf(proved, address);
    if (isExceeded(attempts, endpoints)) return tooMany();
    return await giveCertificate(request, proved, address, endpoints);
  } catch (error) {
    if (isExceeded(attempts, endpoints)) return tooMany();
    endpoints.counts.refused += 1;
    return refusal(error, { attempts, address }, endpoints);
  }
}

async function giveCertificate(
  request: IncomingMessage,
  proved: ProvedNode,
  address: string,
  { issuer, counts, log }: CertificateEndpoints,
): Promise<Answer> {
  const body = await readBody(request, MAX_CERTIFICATE_REQUEST_BYTES);
  if (body === undefined) throw tooLarge();
  const der = await issueNodeCertificate(issuer, proved, body, AbortSignal.timeout(ANSWER_TIME_MS));
  counts.issued += 1;
  log.info('Issued a certificate', { node: proved.node, proof: proved.proof.kind, address });
  return bytes(der);
}

/** Only the node itself may leave, by a certificate that is valid and not revoked. */
async function leaveCloud(
  request: IncomingMessage,
  node: string,
  address: string,
  { issuer, attempts, leave, log }: CertificateEndpoints,
): Promise<Answer> {
  const { certificate } = peerOf(request.socket, issuer.now());
  const key = addressKey(address);
  if (certificate === undefined || nodeOfCertificate(certificate) !== node) {
    if (attempts.isExceeded(key)) return tooMany();
    attempts.count(key);
    return text(403, 'Only the node itself may leave, by its certificate');
  }
  const signal = AbortSignal.timeout(ANSWER_TIME_MS);
  try {
    const revocation = await openRevocations(issuer.store).find(node, signal);
    const keyHash = publicKeyHash(certificate);
    if (revokesKey(revocation, keyHash)) return text(403, 'The certificate is revoked');
    const accepted = await openNodeKeys(issuer.store).find(node, signal);
    if (accepted?.includes(keyHash) === false) return text(409, 'Another machine has joined under this name since');
    const outcome = await leave(node, certificate, signal);
    if (outcome === 'in use') return text(409, 'Another machine is connected under this name with another certificate');
    log.info('A node has left', { node, outcome, address });
    return text(outcome === 'removed' ? 204 : 202, '');
  } catch (error) {
    log.warn('Cannot remove a node', { node, error: String(error) });
    return text(500, 'The Kubernetes API does not answer');
  }
}

type Attempts = readonly { readonly key: string; readonly weight: number }[];

/** A token that many nodes share may fail more often, so that one of them does not use up the attempts of all. */
const SHARED_TOKEN_WEIGHT = 0.1;

function attemptsOf({ node, proof }: ProvedNode, address: string): Attempts {
  const key = `${proof.id} ${addressKey(address)}`;
  return [
    { key: `${key} ${node}`, weight: 1 },
    { key, weight: SHARED_TOKEN_WEIGHT },
  ];
}

function isExceeded(attempts: Attempts, endpoints: CertificateEndpoints): boolean {
  return attempts.some(({ key }) => endpoints.attempts.isExceeded(key));
}

interface FailedCaller {
  readonly attempts: Attempts;
  readonly address: string;
}

/** The caller's own fault counts as an attempt; the reason of any other failure stays in the log. */
function refusal(
  error: unknown,
  { attempts, address }: FailedCaller,
  { attempts: limit, log }: CertificateEndpoints,
): Answer {
  const status = statusOf(error);
  if (!(error instanceof OperatorError) || status === 500) {
    log.error('Cannot issue a certificate', { address, error: String(error) });
    return text(500, 'The cloud cannot issue a certificate right now');
  }
  for (const { key, weight } of attempts) limit.count(key, weight);
  log.warn('Refused a request for a certificate', { address, code: error.code, reason: error.message });
  return text(status, `${error.message}. ${error.hint}`);
}

/** Unauthenticated as upstream's, since its tools ask before they have a token; the limit keeps it from listing nodes. */
async function findNode(name: string, { issuer, log }: CertificateEndpoints): Promise<Answer> {
  try {
    const found = await issuer.hasJoined(name, AbortSignal.timeout(ANSWER_TIME_MS));
    return found ? text(200, NODE_FOUND_TEXT) : text(404, `There is no node "${name.slice(0, 253)}"`);
  } catch (error) {
    log.warn('Cannot look up a node', { error: String(error) });
    return text(500, 'The Kubernetes API does not answer');
  }
}

const FORBIDDEN: ReadonlySet<ErrorCode> = new Set(['CERTIFICATE_INVALID', 'NODE_REVOKED', 'NODE_NAME_TAKEN']);

/** Upstream's numbers where it has one: 401 for a bad proof, 500 for what is not the caller's fault. */
function statusOf(error: unknown): number {
  const code = error instanceof OperatorError ? error.code : undefined;
  if (code === 'TOKEN_INVALID') return 401;
  return code !== undefined && FORBIDDEN.has(code) ? 403 : 500;
}

function tooLarge(): OperatorError {
  return new OperatorError('CERTIFICATE_INVALID', 'Cannot read the request for a certificate: it is too large', {
    hint: `Send at most ${MAX_CERTIFICATE_REQUEST_BYTES} bytes.`,
  });
}

function tooMany(): Answer {
  const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
  return { ...text(429, 'Too many failed requests. Try again in a minute'), headers };
}

function bytes(body: Buffer): Answer {
  return { status: 200, body, headers: { 'Content-Type': 'application/octet-stream' } };
}

function text(status: number, body: string): Answer {
  return { status, body: Buffer.from(body), headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
}
