import { type KindNames, STORED_KINDS } from '@fenestra/contracts';
import { isJsonObject, type Json, type JsonObject } from '@fenestra/kernel';

/** A Kubernetes object as it travels: its metadata is at least an object with a name. */
export interface KubeObject extends JsonObject {
  readonly metadata: JsonObject & { readonly name: string };
}

/** Whether content is a Kubernetes object. An object without a name, which upstream takes for a success, is not one. */
export function isKubeObject(value: Json | undefined): value is KubeObject {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return false;
  const name = value['metadata']['name'];
  return typeof name === 'string' && name !== '';
}

/** A text field of an object; anything else there counts as absent. */
export function textOf(object: JsonObject | undefined, field: string): string | undefined {
  const value = object?.[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads a Kubernetes object from stored text; `undefined` where it is something else. */
export function parseKubeObject(text: string): KubeObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isKubeObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The object with `apiVersion` and `kind`: typed objects lose them on their way from the cloud. */
export function withKind(object: KubeObject, apiVersion: string, kind: string): KubeObject {
  return { apiVersion, kind, ...object, metadata: object.metadata };
}

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

/** Group, version and resource of a kind: enough to address it. */
export type KindAddress = Pick<KindNames, 'group' | 'version' | 'plural'>;

/** The key of an object in table `meta_v2`: `/core/v1/pods/default/web`, `/core/v1/nodes/null/n1`. */
export function objectKey(kind: KindAddress, namespace: string, name: string): string {
  return `/${kind.group || 'core'}/${kind.version}/${kind.plural}/${namespace || 'null'}/${name}`;
}

/** What column `group_version_resource` holds: `/v1, Resource=pods`, `apps/v1, Resource=deployments`. */
export function formatKindAddress({ group, version, plural }: KindAddress): string {
  return `${group}/${version}, Resource=${plural}`;
}

/** Reads what `formatKindAddress` and upstream write; `undefined` for anything else. */
export function parseKindAddress(text: string): KindAddress | undefined {
  const parts = /^([^/]*)\/([^/,]+), Resource=(.+)$/.exec(text);
  const [, group, version, plural] = parts ?? [];
  if (group === undefined || version === undefined || plural === undefined) return undefined;
  return { group, version, plural };
}
