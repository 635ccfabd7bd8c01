import type { IncomingMessage } from 'node:http';
import { inVersionOf } from '../objects/draft.ts';
import type { Gatekeeper, ResourceAccess, User } from '../objects/gatekeeper.ts';
import type { Json } from '../objects/json.ts';
import type { ResourceKind, Subresource, Verb } from '../objects/resource-kind.ts';
import { forbidden, methodNotAllowed, notFound, pathNotFound, StatusError } from '../objects/status-error.ts';
import { sendObject, sendValue } from './answer.ts';
import { credentialsOf, type Exchange, keyOf, unauthorized } from './exchange.ts';
import { handleCreate, writeOptionsOf } from './handle-create.ts';
import { handleDelete, handleDeleteCollection } from './handle-delete.ts';
import { handleList } from './handle-list.ts';
import { handlePatch, handleUpdate } from './handle-patch.ts';
import { handleWatch } from './handle-watch.ts';
import { patched } from './patched.ts';
import { contentTypeOf, parseText, readObject, readText } from './read-body.ts';
import type { ResourcePath } from './resource-path.ts';

const HANDLERS: Readonly<Record<Verb, (exchange: Exchange) => Promise<void>>> = {
  create: handleCreate,
  delete: handleDelete,
  deletecollection: handleDeleteCollection,
  get: handleGet,
  list: handleList,
  patch: handlePatch,
  update: handleUpdate,
  watch: handleWatch,
};

const STATUS_VERBS: readonly Verb[] = ['get', 'patch', 'update'];

/** What a request wants to do. Throws 405 for a method that means nothing here. */
export function verbOf(method: string, path: ResourcePath, query: URLSearchParams): Verb {
  const single = path.name !== '';
  switch (method) {
    case 'GET':
      if (/^(?:true|1)?$/.test(query.get('watch') ?? 'no') && path.subresource === '') return 'watch';
      return single ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return single ? 'delete' : 'deletecollection';
    default:
      throw methodNotAllowed();
  }
}

/** Answers it. Throws 404 or 405 where the kind has no such thing. */
export async function handleResource(exchange: Exchange, verb: Verb): Promise<void> {
  const { api, kind, path } = exchange;
  if (kind.namespaced ? path.namespace === '' && path.name !== '' : path.namespace !== '') throw pathNotFound();
  const subresource = subresourceOf(kind, path.subresource);
  if (subresource === undefined) throw api.extensions.explainMissing?.(path) ?? pathNotFound();
  if (subresource === 'none' || subresource === 'status') {
    const verbs = subresource === 'none' ? kind.verbs : STATUS_VERBS;
    if (!verbs.includes(verb)) throw methodNotAllowed();
    return HANDLERS[verb](exchange);
  }
  if (!subresource.verbs.includes(verb)) throw methodNotAllowed();
  return handleSubresource(exchange, subresource, verb);
}

function subresourceOf(kind: ResourceKind, name: string): Subresource | 'none' | 'status' | undefined {
  if (name === '') return 'none';
  const own = kind.subresources.find((subresource) => subresource.name === name);
  return own ?? (name === 'status' && kind.hasStatus ? 'status' : undefined);
}

/** `GET` of one object, or of its status, which is the whole object too. */
async function handleGet(exchange: Exchange): Promise<void> {
  const { api, kind, path } = exchange;
  const object = api.objects.get(kind, keyOf(exchange));
  if (!object) throw notFound(kind, path.name);
  sendObject(exchange, 200, inVersionOf(object, kind));
}

/** A request to a subresource that the kind answers itself. */
async function handleSubresource(exchange: Exchange, subresource: Subresource, verb: Verb): Promise<void> {
  const { api, kind, path, query, signal } = exchange;
  const { user, dryRun } = writeOptionsOf(exchange);
  const answer = await subresource.handle({
    verb,
    kind,
    namespace: path.namespace,
    name: path.name,
    body: await bodyOf(exchange, verb),
    query,
    context: { user, dryRun, now: api.now(), objects: api.objects },
    signal,
  });
  sendValue(exchange, answer.status, answer.body);
}

async function bodyOf(exchange: Exchange, verb: Verb): Promise<Json | undefined> {
  const { api, kind, path, request } = exchange;
  if (verb === 'get') return;
  if (verb !== 'patch') return readObject(request, api.protobuf);
  const current = api.objects.get(kind, { namespace: path.namespace, name: path.name });
  if (!current) throw notFound(kind, path.name);
  return patched(kind, inVersionOf(current, kind), contentTypeOf(request), parseText(await readText(request), 'json'));
}

/** Who sent the request. Throws 401 for no one we know, and 403 for someone who wants to be someone else. */
export async function requireUser(gatekeeper: Gatekeeper, request: IncomingMessage, now: Date): Promise<User> {
  const user = await gatekeeper.authenticate(credentialsOf(request, now));
  if (!user) throw unauthorized();
  if (Object.keys(request.headers).some((name) => name.startsWith('impersonate-')))
    throw new StatusError(403, 'Forbidden', 'impersonation is not supported by the embedded API');
  return user;
}

/** Throws 403 with Kubernetes' sentence unless the user may. */
export function requireAccess(gatekeeper: Gatekeeper, user: User, access: ResourceAccess): void {
  const decision = gatekeeper.authorize(user, access);
  if (decision === true) return;
  const what = access.subresource === '' ? access.resource : `${access.resource}/${access.subresource}`;
  const where = access.namespace === '' ? 'at the cluster scope' : `in the namespace "${access.namespace}"`;
  const why = `User "${user.name}" cannot ${access.verb} resource "${what}" in API group "${access.group}" ${where}`;
  const resource = { group: access.group, plural: access.resource };
  throw forbidden(resource, access.name, decision === '' ? why : `${why}: ${decision}`);
}

/** The same for a path that is not a resource. */
export function requirePath(gatekeeper: Gatekeeper, user: User, verb: string, path: string): void {
  const decision = gatekeeper.authorizePath(user, { verb, path });
  if (decision === true) return;
  const why = `User "${user.name}" cannot ${verb} path "${path}"`;
  throw new StatusError(403, 'Forbidden', `forbidden: ${decision === '' ? why : `${why}: ${decision}`}`, {});
}
