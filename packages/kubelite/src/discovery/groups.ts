import type { JsonObject } from '../objects/json.ts';
import type { ResourceKind, Subresource } from '../objects/resource-kind.ts';

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

const SHAPE = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STABILITY = { alpha: 0, beta: 1, stable: 2 };

/** Orders API versions as Kubernetes does, the best first: `v2`, `v1`, `v1beta1`, `v1alpha1`, then anything else by name. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [rankOf(left), rankOf(right)];
  if (a === undefined || b === undefined) {
    if (a === b) return left.localeCompare(right);
    return a === undefined ? 1 : -1;
  }
  return b.stability - a.stability || b.major - a.major || b.minor - a.minor;
}

function rankOf(version: string): { stability: number; major: number; minor: number } | undefined {
  const [, major, stage, minor = '0'] = SHAPE.exec(version) ?? [];
  if (major === undefined) return undefined;
  const stability = stage === 'alpha' || stage === 'beta' ? STABILITY[stage] : STABILITY.stable;
  return { stability, major: Number(major), minor: Number(minor) };
}

/** The Kubernetes version whose API this is like. */
export const KUBERNETES_VERSION = 'v1.32.0+kubelite';

/** What `/version` says. */
export function serverVersion(): JsonObject {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(KUBERNETES_VERSION) ?? [];
  return {
    major,
    minor,
    gitVersion: KUBERNETES_VERSION,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '',
    goVersion: '',
    compiler: '',
    platform: '',
  };
}
