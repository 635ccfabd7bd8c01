/** A registry with one image under every name: `registry-main.ts PORT LAYOUT LOG USER:PASSWORD`. See registry.ts. */
import { appendFileSync, createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';

const [port = '', layout = '', log = '', account = ''] = process.argv.slice(2);
const Index = z.object({ manifests: z.tuple([z.object({ digest: z.string(), mediaType: z.string() })], z.unknown()) });
const { manifests } = Index.parse(JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')));
const [manifest] = manifests;
const secret = `Basic ${Buffer.from(account).toString('base64')}`;

const server = createServer((request, response) => {
  const answered = answer(request, response);
  appendFileSync(log, `${request.method} ${request.url} ${answered}\n`);
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));

function answer(request: IncomingMessage, response: ServerResponse): number {
  const [, repository, kind, reference = ''] =
    /^\/v2\/(\w+)\/.+\/(manifests|blobs)\/([\w:.-]+)$/.exec(request.url ?? '') ?? [];
  if (repository === 'broken') return refuse(response, 500);
  if (repository === 'private' && request.headers.authorization !== secret) return refuse(response, 401);
  if (repository !== 'open' && repository !== 'private') return refuse(response, 404);
  const isTag = kind === 'manifests' && !reference.startsWith('sha256:');
  return send(request, response, isTag ? manifest.digest : reference, kind === 'manifests');
}

function send(request: IncomingMessage, response: ServerResponse, digest: string, isManifest: boolean): number {
  const file = join(layout, 'blobs', digest.replace(':', '/'));
  if (!existsSync(file)) return refuse(response, 404);
  response.writeHead(200, {
    'content-type': isManifest ? manifest.mediaType : 'application/octet-stream',
    'content-length': statSync(file).size,
    'docker-content-digest': digest,
  });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
  return 200;
}

function refuse(response: ServerResponse, status: number): number {
  response.writeHead(status, status === 401 ? { 'www-authenticate': 'Basic realm="test"' } : {}).end();
  return status;
}
