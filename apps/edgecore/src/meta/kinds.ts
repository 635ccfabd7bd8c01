import { type KindNames, STORED_KINDS } from '@fenestra/contracts';
import { type KubeObject, textOf } from './kube-object.ts';

/**
 * The kind of an object: from its own `apiVersion` and `kind`, else from the type token of its resource string;
 * `undefined` if neither is known.
 */
export function kindOf(type: string, object: KubeObject): KindNames | undefined {
  const known = STORED_KINDS.get(type);
  const apiVersion = textOf(object, 'apiVersion');
  const kind = textOf(object, 'kind');
  if (apiVersion === undefined || kind === undefined || known?.kind === kind) return known;
  return named(apiVersion, kind, pluralOf(kind), textOf(object.metadata, 'namespace') !== undefined);
}

/** The `apiVersion` a kind's objects carry. */
export function apiVersionOf({ group, version }: Pick<KindNames, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The resource name upstream guesses for a kind; both sides must guess alike, since it is part of stored keys. */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === 'endpoints') return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

function named(apiVersion: string, kind: string, plural: string, namespaced: boolean): KindNames {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return { group, version: apiVersion.slice(slash + 1), kind, plural, namespaced };
}
