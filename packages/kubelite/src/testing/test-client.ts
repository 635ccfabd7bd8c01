import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { createInterface } from 'node:readline';
import type { KeyPair } from '../identity/open-identity.ts';
import { isJsonObject, type Json, type JsonObject } from '../objects/json.ts';

/** An answer, read until it ends. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Empty where the text is not a JSON object. */
  readonly body: JsonObject;
}

/** What goes along with a request. An object is sent as JSON. */
export interface TestRequest {
  readonly body?: Json;
  readonly text?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A watch that is running. */
export interface TestWatch {
  /** The next event; fails when the stream ends instead. */
  next(): Promise<JsonObject>;
  /** Resolves once the server has ended the stream. */
  ended(): Promise<void>;
  stop(): void;
  /** Stops reading, as a client that hangs. */
  readonly response: IncomingMessage;
}

/** Node's own HTTPS client with one identity. */
export interface TestClient {
  send(method: string, path: string, request?: TestRequest): Promise<TestAnswer>;
  watch(path: string, headers?: Readonly<Record<string, string>>): Promise<TestWatch>;
  close(): void;
}

/** A client that trusts the CA and shows the certificate, if it has one. */
export function testClient(url: string, ca: string, identity?: KeyPair): TestClient {
  const tls = { ca, keepAlive: true, ...(identity && { cert: identity.certificate, key: identity.key }) };
  const agent = new Agent(tls);
  const open = async (method: string, path: string, { body, text, type, headers }: TestRequest = {}) => {
    const content = text ?? (body === undefined ? '' : JSON.stringify(body));
    const contentType = type ?? (content === '' ? undefined : 'application/json');
    const outgoing = httpsRequest(url + path, {
      method,
      agent,
      headers: {
        ...(contentType && { 'Content-Type': contentType }),
        'Content-Length': Buffer.byteLength(content),
        ...headers,
      },
    });
    outgoing.end(content);
    const [response]: [IncomingMessage] = await once(outgoing, 'response').then(([first]) => [first]);
    return { response, outgoing };
  };
  return {
    async send(method, path, request) {
      const { response } = await open(method, path, request);
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
      return { status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) };
    },
    async watch(path, headers) {
      const opened = await open('GET', path, { ...(headers && { headers }) });
      return testWatch(opened.response, () => void opened.outgoing.destroy());
    },
    close: () => agent.destroy(),
  };
}

function testWatch(response: IncomingMessage, stop: () => void): TestWatch {
  const lines = createInterface({ input: response })[Symbol.asyncIterator]();
  return {
    response,
    stop,
    async next() {
      const { value, done } = await lines.next();
      if (done) throw new Error('the watch has ended');
      return parse(value);
    },
    async ended() {
      while (!(await lines.next()).done);
    },
  };
}

function parse(text: string): JsonObject {
  try {
    const value: Json = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
