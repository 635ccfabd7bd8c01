import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { CERTIFICATE_PATHS, nodePath } from '@fenestra/contracts';
import { within } from '@fenestra/platform';
import { OperatorError, systemCodeOf } from '@fenestra/kernel';
import { endpointText, type Endpoint } from '../cloud-address.ts';

/** What the cloud offers as its CA, DER, and what time it is there. Nothing vouches for either yet. */
export interface OfferedCa {
  readonly certificate: Buffer;
  readonly cloudTime: Date | undefined;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly date: string | undefined;
}

const LIMIT_MS = 10_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Asks for the CA. Compare it with the token before any use. */
export async function askForCa(cloud: Endpoint, signal: AbortSignal): Promise<OfferedCa> {
  const { status, body, date } = await ask(cloud, CERTIFICATE_PATHS.ca, { rejectUnauthorized: false }, signal);
  if (status !== 200) throw cloudError(new Error(`it answers ${status}`), cloud);
  return { certificate: body, cloudTime: date === undefined ? undefined : new Date(date) };
}

/** Whether the cloud has a node of this name, as a cloud whose CA (PEM) is trusted says; `unknown` if it cannot determine. */
export async function askForNode(
  cloud: Endpoint,
  { ca, nodeName }: { readonly ca: string; readonly nodeName: string },
  signal: AbortSignal,
): Promise<'free' | 'taken' | 'unknown'> {
  const { status } = await ask(cloud, nodePath(nodeName), { ca }, signal);
  if (status === 200) return 'taken';
  return status === 404 ? 'free' : 'unknown';
}

/** Opens a connection and closes it again: a firewall that lets only one of the ports through is found out early. */
export async function knockAt(endpoint: Endpoint, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ ...endpoint, signal: within(LIMIT_MS, signal) }, resolve).once('error', reject);
  try {
    await promise;
  } catch (cause) {
    throw cloudError(cause, endpoint);
  } finally {
    socket.destroy();
  }
}

async function ask(cloud: Endpoint, path: string, tls: RequestOptions, signal: AbortSignal): Promise<Answer> {
  try {
    const options = { ...tls, path, agent: false, signal: within(LIMIT_MS, signal) };
    const outgoing = request(`https://${endpointText(cloud)}`, options);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve).on('error', reject).end();
    });
    return { status: response.statusCode ?? 0, body: await readBody(response), date: response.headers.date };
  } catch (cause) {
    throw cloudError(cause, cloud);
  }
}

async function readBody(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('its answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'the DNS server does not respond',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'it does not answer',
  ABORT_ERR: 'it does not answer',
  ECONNRESET: 'connection reset',
};

const CHECK_ADDRESS = 'Check the address, the ports and firewalls, and that the cloud is running.';

/** Turns what the network or TLS said of the cloud into a catalogue error that names host, port and reason. */
function cloudError(cause: unknown, endpoint: Endpoint): OperatorError {
  if (cause instanceof OperatorError) return cause;
  const code = systemCodeOf(cause);
  const at = `the cloud at "${endpointText(endpoint)}"`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new OperatorError('HUB_UNTRUSTED', `Cannot trust ${at}: its certificate is for other addresses`, {
      hint: 'Use an address from "keadm init --advertise-address", or add this address there.',
      cause,
    });
  }
  if (isTlsProblem(code)) {
    return new OperatorError('HUB_UNTRUSTED', `Cannot trust ${at}: its certificate verification failed (${code})`, {
      hint: 'Check the address, and take the token from the same cloud.',
      cause,
    });
  }
  const reason = REASONS[code] ?? (cause instanceof Error ? cause.message : code);
  return new OperatorError('HUB_UNREACHABLE', `Cannot reach ${at}: ${reason}`, {
    hint: CHECK_ADDRESS,
    cause,
    details: { host: endpoint.host, port: endpoint.port },
  });
}

/** OpenSSL's verdicts on a certificate, as Node names them. */
function isTlsProblem(code: string): boolean {
  return /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA)/.test(code);
}
