import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from './loopback-certificate.ts';

/** What a test sees of its API server. */
export interface TestApiServer {
  readonly kubeconfig: string;
  /** `METHOD path?query` of every request so far. */
  readonly requests: string[];
  /** Connections accepted so far. */
  accepted(): number;
  /** Connections open now. */
  open(): Promise<number>;
  /** Watches that are open now. */
  readonly watches: Set<ServerResponse>;
  /** Cuts every connection. */
  cut(): void;
  close(): Promise<void>;
}

/** How a test answers: true if it did. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a real HTTPS server on loopback that answers as the test says. Responses to watches are collected. */
export async function startTestApiServer(answer: Answer): Promise<TestApiServer> {
  const requests: string[] = [];
  const watches = new Set<ServerResponse>();
  let accepted = 0;
  const server = createServer({ cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_KEY }, (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (request.url?.includes('watch=true') === true) {
      watches.add(response);
      response.on('close', () => watches.delete(response));
    }
    answer(request, response);
  });
  server.on('secureConnection', () => accepted++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    kubeconfig: kubeconfigFor(address.port),
    requests,
    watches,
    accepted: () => accepted,
    open: () => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))),
    cut: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with JSON. */
export function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A kubeconfig for a server on loopback. */
export function kubeconfigFor(port: number): string {
  const ca = Buffer.from(LOOPBACK_CERTIFICATE).toString('base64');
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': ca } }],
    users: [{ name: 'test', user: { token: 'secret-token' } }],
  });
}
