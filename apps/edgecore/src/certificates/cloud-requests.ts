import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { CERTIFICATE_PATHS, certificateRequestHeaders } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { connectionError } from '../hub/connection-errors.ts';
import type { NodeIdentity } from './node-identity.ts';

/** What the cloud offers as its CA, and what time it is there. */
export interface OfferedCa {
  /** DER. */
  readonly certificate: Buffer;
  readonly cloudTime: Date | undefined;
}

/**
 * What proves to the cloud that this node may ask: a join token's JWT, or the certificate it has. With a token, a
 * certificate that is no longer valid still shows which machine this is.
 */
export type Proof =
  | { readonly bearer: string; readonly ca: string; readonly formerIdentity: NodeIdentity | undefined }
  | { readonly identity: NodeIdentity };

/** Which node asks where for what. */
export interface CertificateCall {
  readonly server: string;
  readonly nodeName: string;
  /** PKCS#10, DER. */
  readonly request: Uint8Array;
  readonly proof: Proof;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly date: string | undefined;
}

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_QUOTED = 200;

/** Asks for the CA. Nothing vouches for the answer yet: compare it with the token before any use. */
export async function fetchCa(server: string, signal: AbortSignal): Promise<OfferedCa> {
  const action = `get the CA of the cloud at "${server}"`;
  const options = { path: CERTIFICATE_PATHS.ca, tls: { rejectUnauthorized: false } };
  const { status, body, date } = await call(server, options, action, signal);
  if (status !== 200) throw unexpected(action, status, body);
  return { certificate: body, cloudTime: date === undefined ? undefined : new Date(date) };
}

/** Asks for a certificate; returns it in DER. A refusal is `TOKEN_INVALID` or `CERTIFICATE_REJECTED`, by the proof. */
export async function fetchCertificate(
  { server, nodeName, request: body, proof }: CertificateCall,
  signal: AbortSignal,
): Promise<Buffer> {
  const action = `get a certificate from the cloud at "${server}"`;
  const bearer = 'bearer' in proof ? { bearer: proof.bearer } : {};
  const headers = certificateRequestHeaders({ nodeName, keyUsages: ['clientAuth'], ...bearer });
  const options = { path: CERTIFICATE_PATHS.nodeCertificate, headers, body, tls: tlsOf(proof) };
  const answer = await call(server, options, action, signal);
  if (answer.status === 200) return answer.body;
  if (answer.status === 401 || answer.status === 403) throw refused(proof, answer);
  throw unexpected(action, answer.status, answer.body);
}

function tlsOf(proof: Proof): RequestOptions {
  if ('bearer' in proof) {
    const { ca, formerIdentity: former } = proof;
    return former === undefined ? { ca } : { ca, cert: former.certificate, key: former.key };
  }
  return { ca: proof.identity.ca, cert: proof.identity.certificate, key: proof.identity.key };
}

interface CallOptions {
  readonly path: string;
  readonly tls: RequestOptions;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array;
}

async function call(server: string, options: CallOptions, action: string, signal: AbortSignal): Promise<Answer> {
  const { path, tls, headers = {}, body = new Uint8Array() } = options;
  try {
    // A GET with a body is what upstream's server reads. Without a pooled agent no connection outlives its answer.
    const outgoing = request(new URL(server), {
      ...tls,
      path,
      headers: { ...headers, 'Content-Length': body.length },
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve).on('error', reject).end(body);
    });
    return { status: response.statusCode ?? 0, body: await readBody(response), date: response.headers.date };
  } catch (cause) {
    signal.throwIfAborted();
    throw connectionError(cause, action);
  }
}

async function readBody(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('The answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refused(proof: Proof, { status, body }: Answer): OperatorError {
  const answer = quote(body);
  const details = { status, answer };
  if ('identity' in proof) {
    return new OperatorError(
      'CERTIFICATE_REJECTED',
      `Cannot renew the node's certificate: the cloud answers "${answer}"`,
      {
        hint: 'Give the node a new join token in "modules.edgeHub.token".',
        details,
      },
    );
  }
  return new OperatorError('TOKEN_INVALID', `Cannot join: the cloud answers "${answer}"`, {
    hint: 'Get a token for this node with "keadm gettoken --node NAME" at the cloud.',
    details,
  });
}

function unexpected(action: string, status: number, body: Buffer): OperatorError {
  return new OperatorError('HUB_UNREACHABLE', `Cannot ${action}: it answers ${status}`, {
    hint: 'Check that "modules.edgeHub.httpServer" is the address of the cloud, and look at its log.',
    details: { status, answer: quote(body) },
  });
}

function quote(body: Buffer): string {
  return body.toString('utf8', 0, MAX_QUOTED).replaceAll(/[^\x20-\x7e]+/g, ' ');
}
