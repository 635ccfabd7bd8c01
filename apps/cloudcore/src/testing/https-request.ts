import { request } from 'node:https';

/** A request to a server on loopback. */
export interface TestRequest {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** What came back. */
export interface TestAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** Sends a request, GET with a body included, and reads the whole answer. Without a CA nothing is verified. */
export async function httpsRequest({ body, ca, headers, ...rest }: TestRequest): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      agent: false,
      ...rest,
      ...(ca === undefined ? { rejectUnauthorized: false } : { ca }),
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': body.length }) },
    };
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
