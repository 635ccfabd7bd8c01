import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { applyMergePatch } from '@fenestra/contracts/objects';
import {
  isJsonObject,
  openKubeApi,
  pathOf,
  stringAt,
  valueAt,
  type ApiKind,
  type JsonObject,
  type KubeApi,
} from '@fenestra/kube-api';

/** A Kubernetes API reduced to what tests of controllers need: it keeps whatever it is given and notes all requests. */
export interface RecordingApi {
  readonly api: KubeApi;
  readonly requests: string[];
  /** Answers every request with this status, while it is set. */
  refuseWith: number | undefined;
  /** Refuses to order this list of a status, as an older API server that does not know it. */
  unknownList: string | undefined;
  put(kind: ApiKind, object: JsonObject): JsonObject;
  get(kind: ApiKind, namespace: string | undefined, name: string): JsonObject | undefined;
  names(kind: ApiKind): string[];
  remove(kind: ApiKind, namespace: string | undefined, name: string): void;
  /** Cuts every connection, watches included. */
  cut(): void;
  close(): Promise<void>;
}

interface Watch {
  readonly response: ServerResponse;
  readonly collection: string;
}

/** Starts it on loopback. */
export async function startRecordingApi(): Promise<RecordingApi> {
  const objects = new Map<string, JsonObject>();
  const log: { version: number; collection: string; line: string }[] = [];
  const watches = new Set<Watch>();
  const requests: string[] = [];
  let version = 100;
  const tell = (type: string, path: string, object: JsonObject): void => {
    const collection = collectionOf(path);
    const line = `${JSON.stringify({ type, object })}\n`;
    log.push({ version, collection, line });
    for (const watch of watches) if (watch.collection === collection) watch.response.write(line);
  };
  const store = (path: string, object: JsonObject): JsonObject => {
    const before = objects.get(path);
    const metadata = {
      uid: randomUUID(),
      ...(isJsonObject(before?.['metadata']) ? { uid: before['metadata']['uid'] ?? '' } : {}),
      ...(isJsonObject(object['metadata']) ? object['metadata'] : {}),
      resourceVersion: String(++version),
    };
    const stored = { ...object, metadata };
    objects.set(path, stored);
    tell(before === undefined ? 'ADDED' : 'MODIFIED', path, stored);
    return stored;
  };
  const erase = (path: string): void => {
    const object = objects.get(path);
    if (object === undefined || !objects.delete(path)) return;
    tell('DELETED', path, {
      ...object,
      metadata: applyMergePatch(valueAt(object, 'metadata') ?? null, { resourceVersion: String(++version) }),
    });
  };
  const list = (path: string, url: URL, response: ServerResponse): void => {
    const collection = collectionOf(`${path}/x`);
    if (url.searchParams.get('watch') !== 'true') {
      const items = [...objects].filter(([key]) => collectionOf(key) === collection).map(([, object]) => object);
      return answer(response, 200, { metadata: { resourceVersion: String(version) }, items });
    }
    const watch = { response, collection };
    response.writeHead(200).flushHeaders();
    const since = Number(url.searchParams.get('resourceVersion'));
    for (const entry of log) if (entry.version > since && entry.collection === collection) response.write(entry.line);
    watches.add(watch);
    response.on('close', () => watches.delete(watch));
  };
  const handle = (request: IncomingMessage, body: JsonObject, response: ServerResponse): void => {
    const url = new URL(request.url ?? '', 'http://x');
    const [, path = '', sub] = /^(.*?)(?:\/(status|token))?$/.exec(url.pathname) ?? [];
    const before = objects.get(path);
    if (request.method === 'POST' && sub === 'token') return answer(response, 201, { ...body, status: { token: 't' } });
    if (request.method === 'POST') {
      const target = `${path}/${stringAt(body, 'metadata', 'name')}`;
      return objects.has(target) ? fail(response, 409, 'AlreadyExists') : answer(response, 201, store(target, body));
    }
    if (request.method === 'GET' && before === undefined && isCollection(path)) return list(path, url, response);
    if (before === undefined) return fail(response, 404, 'NotFound');
    if (request.method === 'GET') return answer(response, 200, before);
    if (request.method === 'DELETE') {
      erase(path);
      return answer(response, 200, { kind: 'Status', status: 'Success' });
    }
    if (valueAt(body, 'status', `$setElementOrder/${self.unknownList}`) !== undefined)
      return fail(
        response,
        500,
        `unable to find api field in struct PodStatus for the json field "${self.unknownList}"`,
      );
    const change = sub === undefined ? body : { status: body['status'] ?? {} };
    const after = request.method === 'PUT' ? change : applyMergePatch(before, change);
    answer(response, 200, isJsonObject(after) ? store(path, after) : before);
  };
  const self: Omit<RecordingApi, 'api'> = {
    requests,
    refuseWith: undefined,
    unknownList: undefined,
    put: (kind, object) => {
      const namespace = valueAt(object, 'metadata', 'namespace');
      const path = pathOf(
        kind,
        typeof namespace === 'string' ? namespace : undefined,
        stringAt(object, 'metadata', 'name'),
      );
      return store(path, object);
    },
    get: (kind, namespace, name) => objects.get(pathOf(kind, namespace, name)),
    names: (kind) => [...objects.keys()].filter((key) => collectionOf(key) === collectionOf(`${pathOf(kind)}/x`)),
    remove: (kind, namespace, name) => erase(pathOf(kind, namespace, name)),
    cut: () => server.closeAllConnections(),
    async close() {
      api.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url?.split('?')[0]}`);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (self.refuseWith !== undefined) return fail(response, self.refuseWith, 'Refused');
      const body: unknown = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
      handle(request, isJsonObject(body) ? body : {}, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const api = await openKubeApi({ kubeconfig: kubeconfig(port) });
  return Object.assign(self, { api });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function fail(response: ServerResponse, code: number, reason: string): void {
  answer(response, code, { kind: 'Status', status: 'Failure', code, reason, message: reason });
}

/** The path of a collection over all namespaces. */
function collectionOf(path: string): string {
  return path.replace(/\/namespaces\/[^/]+\/(?=[^/]+\/[^/]+$)/, '/').replace(/\/[^/]+$/, '');
}

function isCollection(path: string): boolean {
  return /^\/(api\/v1|apis\/[^/]+\/[^/]+)(\/namespaces\/[^/]+)?\/[^/]+$/.test(path);
}

function kubeconfig(port: number): string {
  return JSON.stringify({
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'test', user: {} }],
  });
}
