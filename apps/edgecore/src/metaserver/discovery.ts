import type { KindNames } from '@fenestra/contracts';
import type { JsonObject } from '@fenestra/kernel';
import { apiVersionOf } from '../meta/kinds.ts';
import { notFound } from './api-failure.ts';

const READ_VERBS = ['get', 'list', 'watch'];

/** The answer to `/api`. */
export function coreVersions(): JsonObject {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
}

/** The answer to `/apis`. */
export function groupList(kinds: readonly KindNames[]): JsonObject {
  const names = new Set(kinds.map(({ group }) => group).filter((group) => group !== ''));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: [...names].map((name) => describeGroup(kinds, name)) };
}

/** The answer to `/apis/<group>`. */
export function groupNamed(kinds: readonly KindNames[], name: string): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...describeGroup(kinds, name) };
}

/** The answer to `/api/<version>` and `/apis/<group>/<version>`. */
export function resourceList(kinds: readonly KindNames[], group: string, version: string): JsonObject {
  const members = kinds.filter((kind) => kind.group === group && kind.version === version);
  const groupVersion = apiVersionOf({ group, version });
  if (members.length === 0) throw notFound(`API "${groupVersion}"`);
  const resources = members.map(({ plural, kind, namespaced }) => ({
    name: plural,
    singularName: kind.toLowerCase(),
    namespaced,
    kind,
    verbs: READ_VERBS,
    shortNames: SHORT_NAMES[plural] ?? [],
  }));
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

/** What `kubectl` users type. */
const SHORT_NAMES: Readonly<Record<string, readonly string[]>> = {
  pods: ['po'],
  configmaps: ['cm'],
  services: ['svc'],
  endpoints: ['ep'],
  nodes: ['no'],
  persistentvolumes: ['pv'],
  persistentvolumeclaims: ['pvc'],
  certificatesigningrequests: ['csr'],
};

function describeGroup(kinds: readonly KindNames[], name: string): JsonObject {
  const numbers = [...new Set(kinds.filter(({ group }) => group === name).map(({ version }) => version))];
  const versions = numbers.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  const [preferredVersion] = versions;
  if (preferredVersion === undefined) throw notFound(`API group "${name}"`);
  return { name, versions, preferredVersion };
}
