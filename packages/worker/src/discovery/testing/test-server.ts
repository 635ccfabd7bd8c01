import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { TestPair } from './test-ca.ts';

/** What a test's server answers: a status and a body, or nothing at all. */
export type TestAnswer = { readonly status: number; readonly body: object | string } | 'silence';

/** A real HTTPS server on loopback. */
export interface TestServer {
  /** `127.0.0.1:port`. */
  readonly endpoint: string;
  /** `METHOD path`, and who asked: the `authorization` header, if there was one. */
  readonly requests: { readonly line: string; readonly authorization: string | undefined }[];
  /** From now on it is another server's certificate that it shows. */
  present(pair: TestPair): void;
  close(): Promise<void>;
}

/** Starts one. `answer` is asked with the number of the request, from 0. */
export async function startTestServer(pair: TestPair, answer: (count: number) => TestAnswer): Promise<TestServer> {
  const requests: TestServer['requests'] = [];
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push({ line: `${request.method} ${request.url}`, authorization: request.headers.authorization });
    const given = answer(requests.length - 1);
    if (given === 'silence') return;
    const body = typeof given.body === 'string' ? given.body : JSON.stringify(given.body);
    response.writeHead(given.status, { 'content-type': 'application/json' }).end(body);
  };
  const server = createServer({ cert: pair.certificate, key: pair.key }, respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    endpoint: `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    requests,
    present: (other) => server.setSecureContext({ cert: other.certificate, key: other.key }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A `cluster-info` that holds these texts. */
export function clusterInfo(data: Readonly<Record<string, string>>): TestAnswer {
  const metadata = { name: 'cluster-info', namespace: 'kube-public' };
  return { status: 200, body: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } };
}

/** The kubeconfig in a `cluster-info`: one cluster without a name. */
export function clusterInfoKubeconfig(server: string, caBundle: string): string {
  const ca = Buffer.from(caBundle).toString('base64');
  return `apiVersion: v1\nclusters:\n- cluster:\n    certificate-authority-data: ${ca}\n    server: ${server}\n  name: ""\ncontexts: null\ncurrent-context: ""\nkind: Config\npreferences: {}\nusers: null\n`;
}
