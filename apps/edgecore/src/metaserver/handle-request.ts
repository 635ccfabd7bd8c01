import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { KindNames } from '@fenestra/contracts';
import { matchesFields, parseFieldSelector, parseLabelSelector } from '@fenestra/contracts/objects';
import { type JsonObject, OperatorError } from '@fenestra/kernel';
import { apiVersionOf, type KubeObject } from '../meta/kube-object.ts';
import type { NodeMemory } from '../meta/node-memory.ts';
import { ApiFailure, badRequest, notFound } from './api-failure.ts';
import { type ApiPath, type ObjectPath, parseApiPath } from './api-path.ts';
import { coreVersions, findKind, groupList, groupNamed, resourceList, servedKinds } from './discovery.ts';
import { watchObjects } from './watch-objects.ts';

/** What requests are answered from. */
interface RequestContext {
  readonly memory: NodeMemory;
  /** Answered to `/version`: the kubelet version of this node. */
  readonly kubeletVersion: string;
}

/** Answers one request. Nothing is thrown: a refusal is an answer too. */
export function handleRequest(context: RequestContext, request: IncomingMessage, response: ServerResponse): void {
  try {
    refuseForeign(request);
    const url = new URL(request.url ?? '/', 'http://node');
    answer(context, parseApiPath(decodePath(url.pathname)), url.searchParams, response);
  } catch (cause) {
    const failure = cause instanceof ApiFailure ? cause : unavailable(cause);
    send(response, failure.code, failure.toStatus());
  }
}

function answer(context: RequestContext, path: ApiPath, query: URLSearchParams, response: ServerResponse): void {
  const { memory, kubeletVersion } = context;
  if (path.form === 'objects') return answerObjects(memory, path, query, response);
  if (path.form === 'health') {
    if (!memory.isOpen) throw new ApiFailure(503, 'ServiceUnavailable', 'the database of this node is not open');
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('ok');
    return;
  }
  send(response, 200, describe(memory, path, kubeletVersion));
}

function describe(memory: NodeMemory, path: Exclude<ApiPath, ObjectPath>, kubeletVersion: string): JsonObject {
  switch (path.form) {
    case 'version':
      return versionOf(kubeletVersion);
    case 'core-versions':
      return coreVersions();
    case 'groups':
      return groupList(servedKinds(memory));
    case 'group':
      return groupNamed(servedKinds(memory), path.group);
    case 'resources':
      return resourceList(servedKinds(memory), path.group, path.version);
    case 'health':
    case 'unknown':
      throw notFound('the path');
  }
}

function answerObjects(memory: NodeMemory, path: ObjectPath, query: URLSearchParams, response: ServerResponse): void {
  const kind = findKind(memory, path.kind);
  if (kind === undefined || path.subresource !== undefined) throw notFound(`the resource "${path.kind.plural}"`);
  const { name, namespace } = path;
  if (isTrue(query.get('watch'))) {
    const scope = { kind, namespace, matches: selectorsOf(query, name) };
    return watchObjects(memory, scope, query, response);
  }
  if (name === undefined) return send(response, 200, readList(memory, kind, path, selectorsOf(query)));
  send(response, 200, readObject(memory, kind, namespace ?? '', name));
}

function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1';
}

/** A web page can make a browser on this machine ask here under its own name; then the address in `Host` is a name. */
function refuseForeign({ headers, method }: IncomingMessage): void {
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (host !== 'localhost' && isIP(host) === 0) {
    throw new ApiFailure(403, 'Forbidden', 'this server is reached by its address or by "localhost" only');
  }
  if (method === 'GET') return;
  throw new ApiFailure(405, 'MethodNotAllowed', 'this node only reads: change objects through the API of the cluster');
}

function decodePath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    throw badRequest('the path is not valid');
  }
}

function versionOf(gitVersion: string): JsonObject {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(gitVersion) ?? [];
  return { major, minor, gitVersion, platform: '' };
}

function unavailable(cause: unknown): ApiFailure {
  const reason = cause instanceof OperatorError ? cause.message : 'an unexpected failure';
  return new ApiFailure(503, 'ServiceUnavailable', reason);
}

function send(response: ServerResponse, code: number, body: JsonObject): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}

/** Whether an object is meant. */
export type Matcher = (object: KubeObject) => boolean;

/** One object, as `kubectl get <kind> <name>` wants it. */
function readObject(memory: NodeMemory, kind: KindNames, namespace: string, name: string): KubeObject {
  const object = memory.get(kind, kind.namespaced ? namespace : '', name);
  if (object === undefined) throw notFound(`${kind.plural} "${name}"`);
  return object;
}

/** A collection. Its resource version is the node's own count, from which a watch can go on. */
function readList(memory: NodeMemory, kind: KindNames, path: ObjectPath, matches: Matcher): JsonObject {
  const resourceVersion = String(memory.changes.latest);
  const items = memory.list(kind, path.namespace).filter(matches);
  return { kind: `${kind.kind}List`, apiVersion: apiVersionOf(kind), metadata: { resourceVersion }, items };
}

/** What the selectors of a request mean. A name in the path of a watch selects that object. */
function selectorsOf(query: URLSearchParams, name?: string): Matcher {
  const byLabel = parseLabelSelector(query.get('labelSelector') ?? '', badRequest);
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '', badRequest);
  return (object) =>
    (name === undefined || object.metadata.name === name) && byLabel(object) && matchesFields(fields, object);
}
