import type { IncomingMessage } from 'node:http';
import { MAX_CERTIFICATE_REQUEST_BYTES, NODE_FOUND_TEXT, parseCloudRequest } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import { issueNodeCertificate, type Issuer } from '../certificates/issue-node-certificate.ts';
import type { AttemptLimit } from './attempt-limit.ts';
import { peerOf } from './peer-certificate.ts';
import { readBody } from './read-body.ts';

/** What the endpoints of the certificate server work with. */
export interface CertificateEndpoints {
  readonly issuer: Issuer;
  /** Whether a Node object of this name exists. */
  readonly nodeExists: (name: string, signal: AbortSignal) => Promise<boolean>;
  /** Bounds what those can do who prove nothing. */
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
  if (endpoints.attempts.isExceeded(address)) return tooMany();
  if (asked?.request === 'node-certificate') return giveCertificate(request, address, endpoints);
  endpoints.attempts.count(address);
  if (asked?.request === 'node') return findNode(asked.nodeName, endpoints);
  return text(404, 'There is nothing here');
}

async function giveCertificate(
  request: IncomingMessage,
  address: string,
  endpoints: CertificateEndpoints,
): Promise<Answer> {
  const { issuer, counts, log } = endpoints;
  const body = await readBody(request, MAX_CERTIFICATE_REQUEST_BYTES);
  try {
    if (body === undefined) throw tooLarge();
    const peer = peerOf(request.socket, issuer.now()).certificate;
    const incoming = { headers: request.headers, peer, body };
    const { node, proof, der } = await issueNodeCertificate(issuer, incoming, AbortSignal.timeout(ANSWER_TIME_MS));
    counts.issued += 1;
    log.info('Gave a node its certificate', { node, proof, address });
    return bytes(der);
  } catch (error) {
    counts.refused += 1;
    return refusal(error, address, endpoints);
  }
}

/** What is the caller's fault counts against its address; of what is not, it learns nothing. */
function refusal(error: unknown, address: string, { attempts, log }: CertificateEndpoints): Answer {
  const status = statusOf(error);
  if (!(error instanceof OperatorError) || status === 500) {
    log.error('Cannot give a certificate', { address, error: String(error) });
    return text(500, 'The cloud cannot give a certificate right now');
  }
  attempts.count(address);
  log.warn('Refused a request for a certificate', { address, code: error.code, reason: error.message });
  return text(status, `${error.message}. ${error.hint}`);
}

/** Unauthenticated as upstream's, since its tools ask before they have a token; the limit keeps it from listing nodes. */
async function findNode(name: string, { nodeExists, log }: CertificateEndpoints): Promise<Answer> {
  try {
    const found = await nodeExists(name, AbortSignal.timeout(ANSWER_TIME_MS));
    return found ? text(200, NODE_FOUND_TEXT) : text(404, `There is no node "${name.slice(0, 253)}"`);
  } catch (error) {
    log.warn('Cannot look up a node', { error: String(error) });
    return text(500, 'The Kubernetes API does not answer');
  }
}

/** Upstream's numbers where it has one: 401 for a bad proof, 500 for what is not the caller's fault. */
function statusOf(error: unknown): number {
  const code = error instanceof OperatorError ? error.code : undefined;
  if (code === 'TOKEN_INVALID') return 401;
  return code === 'CERTIFICATE_INVALID' ? 403 : 500;
}

function tooLarge(): OperatorError {
  return new OperatorError('CERTIFICATE_INVALID', 'Cannot read the request for a certificate: it is too large', {
    hint: `Send at most ${MAX_CERTIFICATE_REQUEST_BYTES} bytes.`,
  });
}

function tooMany(): Answer {
  const headers = { 'Retry-After': RETRY_AFTER_SECONDS };
  return { ...text(429, 'Too many failed requests from this address. Try again in a minute'), headers };
}

function bytes(body: Buffer): Answer {
  return { status: 200, body, headers: { 'Content-Type': 'application/octet-stream' } };
}

function text(status: number, body: string): Answer {
  return { status, body: Buffer.from(body), headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
}
