import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { OperatorError, fileError } from '@fenestra/kernel';
import { plainHttpRefused, releaseInvalid } from '../release-errors.ts';
import { publicAddress } from './address.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** How to ask for something by HTTP. */
export interface UrlRequest {
  readonly url: URL;
  /** `user:password`; only the named origin gets to see them. */
  readonly credentials?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Refuses plain HTTP, also where a redirect leads to it. */
  readonly httpsOnly: boolean;
  /** Where `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` and `KEADM_CA_FILE` are looked up. */
  readonly variables: NodeJS.ProcessEnv;
}

/** The answer's head; its body is still on the way and must be read or destroyed. */
export interface UrlAnswer {
  readonly status: number;
  readonly body: IncomingMessage;
  /** Whether every connection on the way was HTTPS. */
  readonly secure: boolean;
}

/** Asks once, following redirects. A status is an answer, whatever it is; only a broken connection throws. */
export async function openUrl(request: UrlRequest, signal: AbortSignal): Promise<UrlAnswer> {
  let url = request.url;
  let secure = true;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    secure &&= url.protocol === 'https:';
    if (request.httpsOnly && !secure) throw plainHttpRefused(publicAddress(url));
    const body = await send(url, request, signal);
    const next = redirectOf(url, body);
    if (next === undefined) return { status: body.statusCode ?? 0, body, secure };
    body.destroy();
    url = next;
  }
  throw releaseInvalid(
    `fetch "${publicAddress(request.url)}": it redirects more than ${MAX_REDIRECTS} times`,
    'Check the address.',
  );
}

/** Never by way of the process-wide agents: those do not honour the proxy variables, and are not ours to change. */
async function send(url: URL, request: UrlRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const isHttps = url.protocol === 'https:';
  const agent = isHttps
    ? new HttpsAgent({ proxyEnv: request.variables, ...trustedCas(request.variables) })
    : new HttpAgent({ proxyEnv: request.variables });
  // The bytes as they are: what is compressed on the way could not be resumed.
  const headers = {
    'user-agent': 'fenestra',
    'accept-encoding': 'identity',
    ...request.headers,
    ...authorization(url, request),
  };
  return new Promise((resolve, reject) => {
    const sent = (isHttps ? httpsRequest : httpRequest)(url, { agent, headers, signal });
    sent.on('response', resolve).on('error', reject).end();
  });
}

function authorization(url: URL, { url: asked, credentials }: UrlRequest): Record<string, string> {
  if (credentials === undefined || url.origin !== asked.origin) return {};
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

function redirectOf(url: URL, { statusCode = 0, headers }: IncomingMessage): URL | undefined {
  if (!REDIRECTS.includes(statusCode) || headers.location === undefined) return undefined;
  const next = URL.parse(headers.location, url.href);
  if (next !== null && /^https?:$/.test(next.protocol)) return next;
  throw releaseInvalid(`fetch "${publicAddress(url)}": it redirects to an address that is not HTTP`);
}

/** Some file stores say "forbidden" of what is not there. */
const ABSENT = [403, 404, 410];
const PASSING = [408, 425, 429];

/** Whether the server says that there is no such file. */
export function isAbsent(status: number): boolean {
  return ABSENT.includes(status);
}

/** What a status means that is not a success: a plain error if it may pass, else `DOWNLOAD_FAILED`. */
export function statusError(url: URL, status: number): Error {
  if (status >= 500 || PASSING.includes(status)) return new Error(`the server answers ${status}`);
  return new OperatorError('DOWNLOAD_FAILED', `Cannot fetch "${publicAddress(url)}": the server answers ${status}`, {
    hint: isAbsent(status) ? 'Check the address and the version.' : 'Check the address and the access rights.',
    details: { status },
  });
}

/** Names a PEM file with CAs to trust besides those of Node.js. The executable ignores `NODE_EXTRA_CA_CERTS`. */
const CA_FILE_VARIABLE = 'KEADM_CA_FILE';

function trustedCas(variables: NodeJS.ProcessEnv): { readonly ca?: string[] } {
  const file = variables[CA_FILE_VARIABLE] ?? '';
  return file === '' ? {} : { ca: [...rootCertificates, readPem(file)] };
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw fileError(cause, `read "${file}", which ${CA_FILE_VARIABLE} names`);
  }
}
