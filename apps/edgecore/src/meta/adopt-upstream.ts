import { STORED_KINDS } from '@fenestra/contracts';
import { parseKubeObject } from './kube-object.ts';
import { placeOf } from './incoming.ts';
import { editionOf, isOlder } from './precedence.ts';
import type { MetaRecord, MetaStore } from './store/meta-store.ts';
import { asStored, writeStored } from './stored-object.ts';

/**
 * Fills table `meta_v2` from `meta`: upstream keeps most objects in `meta` only, and when a node went back to upstream
 * for a while, `meta` holds the newer ones. Returns how many objects were taken over.
 */
export function adoptUpstreamObjects(store: MetaStore): number {
  return store.transaction(() => {
    const records = [...STORED_KINDS.keys()].flatMap((type) => store.listMetas(type));
    return records.filter((record) => adopt(store, record)).length;
  });
}

function adopt(store: MetaStore, { key, value }: MetaRecord): boolean {
  const object = parseKubeObject(value);
  const place = placeOf(key, object);
  const { kind, namespace, name } = place;
  if (object === undefined || kind === undefined || name === '') return false;
  const known = parseKubeObject(store.getObject(kind, namespace, name)?.value ?? '');
  const edition = editionOf(object);
  if (known !== undefined && !isOlder(editionOf(known), edition)) return false;
  writeStored(store, { place, object: asStored(place, object), edition });
  return true;
}
