import type { ResourceKind, Subresource, Verb } from '../objects/resource-kind.ts';
import { methodNotAllowed, pathNotFound } from '../objects/statuses.ts';
import type { Exchange } from './exchange.ts';
import { handleCreate } from './handle-create.ts';
import { handleDeleteCollection } from './handle-delete-collection.ts';
import { handleDelete } from './handle-delete.ts';
import { handleGet } from './handle-get.ts';
import { handleList } from './handle-list.ts';
import { handlePatch } from './handle-patch.ts';
import { handleSubresource } from './handle-subresource.ts';
import { handleUpdate } from './handle-update.ts';
import { handleWatch } from './handle-watch.ts';
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
