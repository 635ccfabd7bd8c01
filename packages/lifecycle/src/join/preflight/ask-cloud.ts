import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import { CERTIFICATE_PATHS, nodePath } from '@fenestra/contracts';
import { within } from '@fenestra/platform';
import { endpointText, type Endpoint } from '../cloud-address.ts';
import { cloudError } from './cloud-error.ts';

/** What the cloud offers as its CA, DER, and what time it is there. Nothing vouches for either yet. */
export interface OfferedCa {
  readonly certificate: Buffer;
  readonly cloudTime: Date | undefined;
}

/** What a cloud answers. */
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

/** Whether the cloud has a node of this name, as a cloud whose CA (PEM) is trusted says; `unknown` if it cannot tell. */
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
