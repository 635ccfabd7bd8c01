import { type FieldTerm, parseFieldSelector, parseLabelSelector } from '@fenestra/contracts/objects';
import { inVersionOf } from '../objects/draft.ts';
import { type JsonObject, stringAt, valueAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { type ObjectFilter, type ObjectKey, selectorOf } from '../objects/object-service.ts';
import { apiVersionOf, resourceName, type Verb } from '../objects/resource-kind.ts';
import { badRequest, expired, StatusError } from '../objects/status-error.ts';
import { parseBody } from '../store/object-store.ts';
import { includeObject, metadataOnly, sendText, sendValue } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { parseText } from './read-body.ts';
import type { ResourcePath } from './resource-path.ts';

/** One page of a list; `bodies` is JSON text, which mostly goes out as it came from the disk. */
interface Page {
  readonly bodies: readonly string[];
  readonly metadata: JsonObject;
}

/** `GET` of a collection. */
export async function handleList(exchange: Exchange): Promise<void> {
  const { kind, accept, api, query, response } = exchange;
  const page = readPage(exchange);
  const head = { kind: kind.listKind ?? `${kind.kind}List`, apiVersion: apiVersionOf(kind), metadata: page.metadata };
  if (accept.shape === 'object' && accept.format === 'json' && storedAsServed(exchange)) {
    const start = JSON.stringify(head).slice(0, -1);
    return sendText(response, 200, `${start},"items":[${page.bodies.join(',')}]}`);
  }
  const objects = page.bodies.map((body) => inVersionOf(parseBody(body), kind));
  if (accept.shape === 'table') {
    const { metadata } = page;
    const include = includeObject(query);
    const table = api.extensions.renderTable({ kind, objects, includeObject: include, metadata, withColumns: true });
    return sendValue(exchange, 200, table);
  }
  if (accept.shape === 'object') return sendValue(exchange, 200, { ...head, items: objects });
  const list = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: page.metadata };
  sendValue(exchange, 200, { ...list, items: objects.map(metadataOnly) });
}

function storedAsServed({ kind }: Exchange): boolean {
  return (kind.storageVersion ?? kind.version) === kind.version;
}

/**
 * Pages after the first are read from the newest state but keep the version of the first: a watch from there
 * reports everything that happened in between, so nothing is missed.
 */
function readPage(exchange: Exchange): Page {
  const { api, kind, filter, query } = exchange;
  const selects = selectorOf(filter);
  const { revision, after } = startOf(exchange);
  const limit = numberOf(query, 'limit') ?? 0;
  const range = { resource: resourceName(kind), namespace: filter.namespace, ...(after && { after }) };
  const { bodies, last } = takeMatching(api.store.page({ ...range, limit: 0 }), limit, selects);
  const metadata = { resourceVersion: String(revision) };
  if (!last) return { bodies, metadata };
  const remaining = selects ? {} : { remainingItemCount: api.store.count({ ...range, after: last, limit: 0 }) };
  return { bodies, metadata: { ...metadata, continue: formatContinue({ revision, after: last }), ...remaining } };
}

function takeMatching(
  bodies: IterableIterator<string>,
  limit: number,
  selects: ((object: KubeObject) => boolean) | undefined,
): { readonly bodies: readonly string[]; readonly last?: ObjectKey } {
  const taken: string[] = [];
  for (const body of bodies) {
    if (selects && !selects(parseBody(body))) continue;
    if (limit > 0 && taken.length === limit) return { bodies: taken, last: keyIn(taken.at(-1) ?? body) };
    taken.push(body);
  }
  return { bodies: taken };
}

function keyIn(body: string): ObjectKey {
  const { namespace = '', name } = parseBody(body).metadata;
  return { namespace, name };
}

function startOf({ api, kind, query }: Exchange): { readonly revision: number; readonly after?: ObjectKey } {
  const newest = api.store.revision();
  const text = query.get('continue') ?? '';
  if (text !== '') {
    const token = parseContinue(text);
    if (api.hub.remembers(resourceName(kind), token.revision)) return token;
    throw expired('The provided continue parameter is too old to display a consistent list result.');
  }
  const wanted = revisionOf(query, newest);
  requireMatch(query.get('resourceVersionMatch') ?? '', wanted, () => isStill(api, kind, wanted ?? 0));
  return { revision: newest };
}

function requireMatch(match: string, wanted: number | undefined, isCurrent: () => boolean): void {
  if (match === '') return;
  if (match !== 'Exact' && match !== 'NotOlderThan') throw badRequest(`resourceVersionMatch "${match}" is not known`);
  if (wanted === undefined)
    throw badRequest(
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    );
  if (match === 'Exact' && !isCurrent())
    throw expired(`The resourceVersion for the provided list is too old: ${wanted}`);
}

/** Only the newest state is kept, so an exact version can be had as long as nothing has changed since. */
function isStill({ hub }: Exchange['api'], kind: Exchange['kind'], revision: number): boolean {
  let changed = false;
  const stop = hub.watch(resourceName(kind), revision, { changed: () => void (changed = true), ended() {} });
  stop?.();
  return stop !== undefined && !changed;
}

/** The filter of a request. */
export type RequestFilter = ObjectFilter & Required<Pick<ObjectFilter, 'fields' | 'namespace'>>;

/** A page that was not the last ends with this: where to go on, and which version the list is of. */
interface ContinueToken {
  readonly revision: number;
  readonly after: ObjectKey;
}

const SELECTING: ReadonlySet<Verb> = new Set(['deletecollection', 'list', 'watch']);

/**
 * Which objects a request is about: the namespace and name of its path, and its selectors. Parsed once, before the
 * authorizer: it and the handler judge by the same value. Only verbs that select have selectors. Throws 400.
 */
export function filterOf(verb: Verb, path: ResourcePath, query: URLSearchParams): RequestFilter {
  const { namespace, name } = path;
  if (!SELECTING.has(verb)) return { namespace, fields: [] };
  const labels = query.get('labelSelector');
  const named = name === '' ? [] : [{ field: 'metadata.name', equal: true, value: name }];
  const fields = [...named, ...parseFieldSelector(query.get('fieldSelector') ?? '', badRequest)];
  return { namespace, fields, ...(labels && { labels: parseLabelSelector(labels, badRequest) }) };
}

/** Throws 400 when a term names a field that the kind cannot be selected by. */
export function requireSelectable(terms: readonly FieldTerm[], fields: readonly string[]): void {
  const known = new Set(['metadata.name', 'metadata.namespace', ...fields]);
  const unknown = terms.find((term) => !known.has(term.field));
  if (unknown) throw badRequest(`field label not supported: ${unknown.field}`);
}

/** A number in the query; undefined where it is not given. Throws 400. */
export function numberOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return;
  if (!/^\d{1,15}$/.test(text)) throw badRequest(`Invalid value: "${text}": ${name} must be a number`);
  return Number(text);
}

/** The version a request names; undefined where it names none. Throws 504 for one from the future. */
export function revisionOf(query: URLSearchParams, newest: number): number | undefined {
  const revision = numberOf(query, 'resourceVersion');
  if (revision === undefined || revision <= newest) return revision;
  throw new StatusError(504, 'Timeout', `Too large resource version: ${revision}, current: ${newest}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/** A token as it goes to the client. */
function formatContinue({ revision, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 1, rv: revision, ns: after.namespace, name: after.name })).toString(
    'base64url',
  );
}

/** A token that came back. Throws 410 for what is none of ours: the client then lists again. */
function parseContinue(text: string): ContinueToken {
  const value = parseText(Buffer.from(text, 'base64url').toString('utf8'), 'json');
  const revision = valueAt(value, 'rv');
  if (typeof revision !== 'number') throw expired('The provided continue parameter is not valid');
  return { revision, after: { namespace: stringAt(value, 'ns'), name: stringAt(value, 'name') } };
}
