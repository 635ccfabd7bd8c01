import { type KindNames, STORED_KINDS } from '@fenestra/contracts';
import { textOf } from '../meta/kube-object.ts';
import { formatKindAddress, type KindAddress } from '../meta/object-key.ts';
import type { NodeMemory } from '../meta/node-memory.ts';

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
