import type { IncomingMessage, ServerResponse } from 'node:http';
import { DAMAGED_OBJECTS_PATH, writeDamagedObjects } from '@fenestra/contracts';
import { requiredValue } from '@fenestra/contracts/objects';
import type { User } from '../objects/gatekeeper.ts';
import { pathNotFound, StatusError } from '../objects/status-error.ts';
import { sendBytes, sendStatus, sendText } from './answer.ts';
import type { Api } from './exchange.ts';
import { handleResource, requireAccess, requirePath, requireUser, verbOf } from './handle-resource.ts';
import { filterOf, requireSelectable } from './handle-list.ts';
import { negotiate } from './negotiate.ts';
import { parseResourcePath, type ResourcePath } from './resource-path.ts';

const HEALTH_PATHS = new Set(['/healthz', '/livez', '/readyz']);

/** One request as it came. */
export interface Wire {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborted when the client goes away or the server stops. */
  readonly signal: AbortSignal;
  /** Called when it is known who sent the request. */
  readonly onUser: (user: User) => void;
}

/** Answers one request, whatever happens: a refusal is a Status, a bug is a 500 that the log explains. */
export async function handleRequest(api: Api, wire: Wire): Promise<void> {
  const { request, response } = wire;
  try {
    await dispatch(api, wire);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    sendStatus(response, error instanceof StatusError ? error : internalError(api, request, error));
  }
}

async function dispatch(api: Api, wire: Wire): Promise<void> {
  const { request, response, onUser } = wire;
  const [path = '', search = ''] = (request.url ?? '/').split('?', 2);
  if (HEALTH_PATHS.has(path)) return sendText(response, 200, 'ok', 'text/plain; charset=utf-8');
  const query = new URLSearchParams(search);
  const resource = parseResourcePath(path);
  if (resource) return dispatchResource(api, resource, query, wire);
  const { gatekeeper } = api.extensions;
  const user = await requireUser(gatekeeper, request, api.now());
  onUser(user);
  const method = request.method ?? 'GET';
  requirePath(gatekeeper, user, method.toLowerCase(), path);
  if (path === DAMAGED_OBJECTS_PATH) return sendText(response, 200, writeDamagedObjects(api.store.damaged()));
  const answer = await api.extensions.answerPlain({ method, path, query, headers: request.headers, user });
  if (!answer) throw pathNotFound();
  sendBytes(response, answer.status, Buffer.from(answer.body), {
    'Content-Type': answer.contentType,
    ...answer.headers,
  });
}

async function dispatchResource(api: Api, path: ResourcePath, query: URLSearchParams, wire: Wire): Promise<void> {
  const { gatekeeper } = api.extensions;
  const { onUser, ...exchanged } = wire;
  const user = await requireUser(gatekeeper, wire.request, api.now());
  onUser(user);
  const verb = verbOf(wire.request.method ?? '', path, query);
  const filter = filterOf(verb, path, query);
  requireAccess(gatekeeper, user, {
    verb,
    group: path.group,
    version: path.version,
    resource: path.plural,
    subresource: path.subresource,
    namespace: path.namespace,
    name: path.name || requiredValue(filter.fields, 'metadata.name'),
    fields: filter.fields,
  });
  const kind = api.registry.find(path.group, path.version, path.plural);
  if (!kind) throw api.extensions.explainMissing?.(path) ?? pathNotFound();
  requireSelectable(filter.fields, kind.selectableFields);
  const accept = negotiate(wire.request.headers.accept);
  await handleResource({ api, kind, path, query, filter, user, accept, ...exchanged }, verb);
}

function internalError(api: Api, request: IncomingMessage, error: unknown): StatusError {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  api.log.error('Cannot answer a request', { method: request.method ?? '', path, cause });
  return new StatusError(500, 'InternalError', 'Internal error occurred: see the log of the embedded API', {});
}
