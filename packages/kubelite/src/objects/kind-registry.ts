import type { ResourceKind } from './resource-kind.ts';

/** The resources the API serves now. Custom resources come and go while it runs. */
export interface KindRegistry {
  /** In the order they were added. */
  all(): readonly ResourceKind[];
  find(group: string, version: string, plural: string): ResourceKind | undefined;
  /** The first version of a resource whose objects have this `kind`. */
  findByKind(group: string, kind: string): ResourceKind | undefined;
  /** Adds or replaces one version of a resource. */
  add(kind: ResourceKind): void;
  /** Stops serving it and ends its watches. Its stored objects are the caller's to delete first. */
  remove(kind: { readonly group: string; readonly version: string; readonly plural: string }): void;
  /** Goes up with every change, so that discovery can cache what it made. */
  generation(): number;
  /** Calls back after each change. */
  onChange(callback: () => void): void;
}

/** An empty registry. */
export function createKindRegistry(): KindRegistry {
  const byPath = new Map<string, ResourceKind>();
  const callbacks: (() => void)[] = [];
  let generation = 0;
  const changed = () => {
    generation += 1;
    for (const callback of callbacks) callback();
  };
  return {
    all: () => [...byPath.values()],
    find: (group, version, plural) => byPath.get(pathOf({ group, version, plural })),
    findByKind: (group, kind) => [...byPath.values()].find((known) => known.group === group && known.kind === kind),
    add(kind) {
      byPath.set(pathOf(kind), kind);
      changed();
    },
    remove(kind) {
      if (byPath.delete(pathOf(kind))) changed();
    },
    generation: () => generation,
    onChange: (callback) => void callbacks.push(callback),
  };
}

function pathOf(kind: { readonly group: string; readonly version: string; readonly plural: string }): string {
  return `${kind.group}/${kind.version}/${kind.plural}`;
}
