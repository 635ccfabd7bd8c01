import type { KubeObject } from '../api-kind.ts';

/** What happened to an object. `object` is missing where only its absence was noticed. */
export type InformerEvent<Kept> =
  | { readonly type: 'added'; readonly kept: Kept; readonly object: KubeObject }
  | { readonly type: 'changed'; readonly kept: Kept; readonly before: Kept; readonly object: KubeObject }
  | { readonly type: 'deleted'; readonly kept: Kept; readonly object?: KubeObject };

/** What an informer remembers, and what follows from what it hears. */
export interface ObjectStore<Kept> {
  get(namespace: string | undefined, name: string): Kept | undefined;
  values(): IterableIterator<Kept>;
  readonly size: number;
  /** Takes the present state of an object; says nothing if it is known already. */
  put(object: KubeObject): void;
  /** Forgets an object that is gone. */
  remove(object: KubeObject): void;
  /** Begins a new full list: `end` forgets whatever was not put since. */
  beginList(): { end(): void };
}

interface Entry<Kept> {
  readonly uid: string | undefined;
  readonly version: string | undefined;
  readonly kept: Kept;
  round: number;
}

/** Keeps what `keep` makes of each object, and reports every change once. */
export function objectStore<Kept>(
  keep: (object: KubeObject) => Kept,
  tell: (event: InformerEvent<Kept>) => void,
): ObjectStore<Kept> {
  const entries = new Map<string, Entry<Kept>>();
  let round = 0;
  const put = (object: KubeObject): void => {
    const key = keyOf(object.metadata.namespace, object.metadata.name);
    const old = entries.get(key);
    const { uid, resourceVersion: version } = object.metadata;
    if (old !== undefined) old.round = round;
    if (old !== undefined && old.uid === uid && old.version === version) return;
    const kept = keep(object);
    entries.set(key, { uid, version, kept, round });
    if (old === undefined) return tell({ type: 'added', kept, object });
    if (old.uid === uid) return tell({ type: 'changed', kept, before: old.kept, object });
    tell({ type: 'deleted', kept: old.kept });
    tell({ type: 'added', kept, object });
  };
  return {
    get: (namespace, name) => entries.get(keyOf(namespace, name))?.kept,
    *values() {
      for (const entry of entries.values()) yield entry.kept;
    },
    get size() {
      return entries.size;
    },
    put,
    remove(object) {
      const key = keyOf(object.metadata.namespace, object.metadata.name);
      const old = entries.get(key);
      if (old === undefined) return;
      entries.delete(key);
      tell({ type: 'deleted', kept: old.kept, object });
    },
    beginList() {
      const own = ++round;
      return {
        end() {
          for (const [key, entry] of entries) {
            if (entry.round >= own) continue;
            entries.delete(key);
            tell({ type: 'deleted', kept: entry.kept });
          }
        },
      };
    },
  };
}

function keyOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}
