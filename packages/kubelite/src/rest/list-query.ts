import { parseFieldSelector, parseLabelSelector, type FieldTerm } from '@fenestra/contracts/objects';
import type { ObjectFilter, ObjectKey } from '../objects/object-service.ts';
import type { Verb } from '../objects/resource-kind.ts';
import { StatusError } from '../objects/status-error.ts';
import { badRequest, expired } from '../objects/statuses.ts';
import { parseText } from './read-body.ts';
import { stringAt, valueAt } from '../objects/json.ts';
import type { ResourcePath } from './resource-path.ts';

/** The filter of a request. */
export type RequestFilter = ObjectFilter & Required<Pick<ObjectFilter, 'fields' | 'namespace'>>;

/** A page that was not the last ends with this: where to go on, and which version the list is of. */
export interface ContinueToken {
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
export function formatContinue({ revision, after }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 1, rv: revision, ns: after.namespace, name: after.name })).toString(
    'base64url',
  );
}

/** A token that came back. Throws 410 for what is none of ours: the client then lists anew. */
export function parseContinue(text: string): ContinueToken {
  const value = parseText(Buffer.from(text, 'base64url').toString('utf8'), 'json');
  const revision = valueAt(value, 'rv');
  if (typeof revision !== 'number') throw expired('The provided continue parameter is not valid');
  return { revision, after: { namespace: stringAt(value, 'ns'), name: stringAt(value, 'name') } };
}
