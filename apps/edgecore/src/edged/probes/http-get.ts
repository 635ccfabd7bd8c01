import { type ClientRequestArgs, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ProbeAction } from '@fenestra/pods';

/** What a request of a probe or a hook came to. */
export interface HttpAnswer {
  readonly status: number;
  /** The beginning of the body. */
  readonly body: string;
}

type HttpAction = Extract<ProbeAction, { readonly kind: 'http' }>;

const BODY_BYTES = 10 * 1024;
const MOST_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request to a container, whatever certificate it shows. A redirect on the same host is followed; one to
 * another host is the answer itself.
 */
export async function httpGet({ url, headers }: HttpAction, signal: AbortSignal): Promise<HttpAnswer> {
  let target = new URL(url);
  for (let redirects = 0; redirects < MOST_REDIRECTS; redirects += 1) {
    // The name that replaces that of the address belongs to the first request.
    const sent = redirects === 0 ? headers : headers.filter(({ name }) => name.toLowerCase() !== 'host');
    const response = await send(target, sent, signal);
    const next = redirectOf(response, target);
    if (next === undefined) return { status: response.statusCode ?? 0, body: await beginningOf(response) };
    response.destroy();
    target = next;
  }
  throw new Error(`stopped after ${MOST_REDIRECTS} redirects`);
}

async function send(target: URL, headers: HttpAction['headers'], signal: AbortSignal): Promise<IncomingMessage> {
  const answer = Promise.withResolvers<IncomingMessage>();
  const names = headers.map(({ name }) => name.toLowerCase());
  const lines = [
    ...(names.includes('host') ? [] : [['Host', target.host] as const]),
    ...headers.map(({ name, value }) => [name, value] as const),
    ...(names.includes('connection') ? [] : [['Connection', 'close'] as const]),
  ];
  const options: ClientRequestArgs = { agent: false, signal, headers: lines.flat() };
  const request =
    target.protocol === 'https:'
      ? requestHttps(target, { ...options, rejectUnauthorized: false })
      : requestHttp(target, options);
  request.on('response', answer.resolve);
  request.on('error', answer.reject);
  request.end();
  return answer.promise;
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  if (!REDIRECTS.has(statusCode) || headers.location === undefined) return undefined;
  const next = new URL(headers.location, from);
  const isWeb = next.protocol === 'http:' || next.protocol === 'https:';
  return isWeb && next.hostname === from.hostname ? next : undefined;
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    chunks.push(chunk);
    length += chunk.length;
    if (length >= BODY_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, BODY_BYTES).toString('utf8');
}
