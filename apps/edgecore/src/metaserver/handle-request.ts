import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { OperatorError, type JsonObject } from '@fenestra/kernel';
import type { NodeMemory } from '../meta/node-memory.ts';
import { ApiFailure, badRequest, notFound } from './api-failure.ts';
import { type ApiPath, type ObjectPath, parseApiPath } from './api-path.ts';
import { coreVersions, groupList, groupNamed, resourceList } from './discovery.ts';
import { readList, readObject, selectorsOf } from './read-objects.ts';
import { findKind, servedKinds } from './served-kinds.ts';
import { watchObjects } from './watch-objects.ts';

/** What requests are answered from. */
export interface RequestContext {
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

/** A web page can make a browser on this machine ask here under a name of its own; then the address in `Host` is a name. */
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
