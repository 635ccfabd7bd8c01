import { once } from 'node:events';
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

/** One request, whatever a server may think of it. */
export interface HttpInput {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** A client certificate and its key, PEM. */
export interface Credentials {
  readonly cert: string;
  readonly key: string;
}

/** A server under attack, and who attacks it. */
export interface HttpTarget {
  /** For instance `https://127.0.0.1:10002`. */
  readonly origin: string;
  readonly credentials?: Credentials;
  readonly next: () => HttpInput;
}

/** How often which answer came. `lost` are requests whose connection ended first, `open` those that we ended. */
export type Answers = Record<string, number>;

/** What came of an attack. */
export interface FuzzReport {
  readonly answers: Answers;
  /** The first requests that were answered 5xx, one line each. */
  readonly serverErrors: readonly string[];
}

const MAX_SERVER_ERRORS = 20;
const SHOWN_CHARACTERS = 500;

const CONNECTIONS = 16;
/** Watches and the like stay open. */
const GIVE_UP_MS = 300;
/** What HTTP clients refuse to send. */
const NOT_IN_PATHS = /[^\u0021-\u00FF]/g;
const NOT_IN_HEADERS = /[^\t\u0020-\u007E\u0080-\u00FF]/g;

/** Sends that many requests over a few connections that are kept alive, and counts the answers. */
export async function fuzzHttp(target: HttpTarget, count: number): Promise<FuzzReport> {
  const { protocol } = new URL(target.origin);
  const options = { keepAlive: true, maxSockets: CONNECTIONS };
  const agent =
    protocol === 'https:'
      ? new HttpsAgent({ ...options, ...target.credentials, rejectUnauthorized: false })
      : new HttpAgent(options);
  const answers: Answers = {};
  const serverErrors: string[] = [];
  let left = count;
  const sendAll = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const input = target.next();
      const answer = await answerTo(target, input, agent);
      answers[answer] = (answers[answer] ?? 0) + 1;
      if (answer.startsWith('5') && serverErrors.length < MAX_SERVER_ERRORS)
        serverErrors.push(`${answer} ${describe(input)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendAll));
  agent.destroy();
  return { answers, serverErrors };
}

/** Enough of a request to send it again manually, on one line. */
function describe({ method, path, headers, body = Buffer.alloc(0) }: HttpInput): string {
  const parts = [path, JSON.stringify(headers), JSON.stringify(body.toString('latin1', 0, SHOWN_CHARACTERS))];
  return [method, ...parts.map((part) => part.slice(0, SHOWN_CHARACTERS)), `${body.length} bytes`].join(' ');
}

async function answerTo(target: HttpTarget, input: HttpInput, agent: HttpAgent): Promise<string> {
  const sent = open(target.origin, input, agent);
  // The end of a request that was given up is reported after its answer has begun, too.
  sent.on('error', () => undefined);
  const timer = setTimeout(() => sent.destroy(new Error('open')), GIVE_UP_MS);
  try {
    sent.end(input.body);
    const [response]: IncomingMessage[] = await once(sent, 'response');
    if (response === undefined) return 'lost';
    response.resume();
    await once(response, 'end');
    return String(response.statusCode);
  } catch (error) {
    return error instanceof Error && error.message === 'open' ? 'open' : 'lost';
  } finally {
    clearTimeout(timer);
  }
}

function open(origin: string, { method, path, headers, body }: HttpInput, agent: HttpAgent): ClientRequest {
  const { protocol, hostname, port } = new URL(origin);
  const clean = Object.entries(headers).map(([name, value]) => [name, value.replaceAll(NOT_IN_HEADERS, '')]);
  const options = {
    host: hostname,
    port,
    agent,
    method,
    path: path.replaceAll(NOT_IN_PATHS, (character) => encodeURIComponent(character.toWellFormed())),
    headers: { ...Object.fromEntries(clean), ...(body === undefined ? {} : { 'Content-Length': body.length }) },
  };
  return protocol === 'https:' ? requestHttps(options) : requestHttp(options);
}
