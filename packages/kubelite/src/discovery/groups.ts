import type { JsonObject } from '../objects/json.ts';
import type { ResourceKind, Subresource } from '../objects/resource-kind.ts';
import { compareVersions } from './version-order.ts';

/** `/apis`: every group but the core one. */
export function groupList(kinds: readonly ResourceKind[]): JsonObject {
  const groups = namedGroups(kinds).map((group) => groupBody(kinds, group));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** `/apis/<group>`, or undefined if there is no such group. */
export function oneGroup(kinds: readonly ResourceKind[], name: string): JsonObject | undefined {
  if (!namedGroups(kinds).includes(name)) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(kinds, name) };
}

/** `/api/v1` or `/apis/<group>/<version>`, or undefined if that version is not served. */
export function resourceList(kinds: readonly ResourceKind[], name: string, version: string): JsonObject | undefined {
  if (!versionsOf(kinds, name).includes(version)) return undefined;
  const served = kinds.filter((kind) => kind.group === name && kind.version === version);
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: name === '' ? version : `${name}/${version}`,
    resources: served.flatMap((kind) => [resource(kind), ...subresources(kind)]),
  };
}

/** The groups there are, the core one left out. The group of a subresource's body alone has no resources to list. */
function namedGroups(kinds: readonly ResourceKind[]): readonly string[] {
  return [...new Set(kinds.map((kind) => kind.group))].filter((name) => name !== '');
}

function versionsOf(kinds: readonly ResourceKind[], name: string): readonly string[] {
  const served = kinds.filter((kind) => kind.group === name).map((kind) => kind.version);
  return [...new Set(served)].toSorted(compareVersions);
}

function groupBody(kinds: readonly ResourceKind[], name: string): JsonObject {
  const versions = versionsOf(kinds, name).map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] };
}

function resource(kind: ResourceKind): JsonObject {
  return {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: kind.verbs,
    ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
    ...(kind.categories && kind.categories.length > 0 && { categories: kind.categories }),
  };
}

function subresources(kind: ResourceKind): readonly JsonObject[] {
  const status = { name: 'status', kind: kind.kind, verbs: ['get', 'patch', 'update'] as const };
  const all = kind.hasStatus ? [...kind.subresources, status] : kind.subresources;
  return all.map((subresource) => subresourceEntry(kind, subresource));
}

function subresourceEntry(kind: ResourceKind, subresource: Omit<Subresource, 'handle'>): JsonObject {
  const { name, verbs, group: ownGroup, version } = subresource;
  const origin = ownGroup === undefined ? {} : { group: ownGroup, version: version ?? 'v1' };
  return {
    name: `${kind.plural}/${name}`,
    singularName: '',
    namespaced: kind.namespaced,
    ...origin,
    kind: subresource.kind,
    verbs,
  };
}
