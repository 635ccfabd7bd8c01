import { type KindNames, STORED_KINDS } from '@fenestra/contracts';
import type { JsonObject } from '@fenestra/kernel';
import { apiVersionOf, formatKindAddress, type KindAddress, textOf } from '../meta/kube-object.ts';
import type { NodeMemory } from '../meta/node-memory.ts';
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

/** A node keeps no events; `kubectl describe` asks for them all the same. */
const EVENTS: KindNames = { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true };

/** The kinds this node can answer for: those it always knows, and whatever else it has objects of. */
export function servedKinds(memory: NodeMemory): readonly KindNames[] {
  const kinds = new Map([...STORED_KINDS.values(), EVENTS].map((kind) => [formatKindAddress(kind), kind]));
  for (const address of memory.storedKinds()) {
    const key = formatKindAddress(address);
    if (!kinds.has(key)) kinds.set(key, describe(memory, address));
  }
  return [...kinds.values()];
}

/** The kind at an address, if this node can answer for it. */
export function findKind(memory: NodeMemory, address: KindAddress): KindNames | undefined {
  const wanted = formatKindAddress(address);
  return servedKinds(memory).find((kind) => formatKindAddress(kind) === wanted);
}

/** What an unknown kind is called, its own objects say. */
function describe(memory: NodeMemory, address: KindAddress): KindNames {
  const [first] = memory.list(address);
  const namespaced = textOf(first?.metadata, 'namespace') !== undefined;
  return { ...address, kind: textOf(first, 'kind') ?? address.plural, namespaced };
}
