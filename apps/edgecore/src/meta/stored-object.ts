import {
  contentJson,
  contentText,
  type KindNames,
  type Message,
  parseResource,
  STORED_KINDS,
} from '@fenestra/contracts';
import { apiVersionOf, isKubeObject, kindOf, type KubeObject, parseKubeObject, withKind } from './kube-object.ts';
import { type Edition, editionOf, isOlder } from './precedence.ts';
import type { MetaRecord, MetaStore } from './store/meta-store.ts';

/** Where something from the cloud belongs: under a wire resource string, and as an object if its kind is known. */
interface Place {
  readonly key: string;
  readonly type: string;
  readonly kind?: KindNames | undefined;
  /** Empty for the cluster. */
  readonly namespace: string;
  /** Empty where the resource string names no single object. */
  readonly name: string;
}

/** A message about one object, read for storing. */
export interface Incoming {
  readonly place: Place;
  /** Absent where the content is not a Kubernetes object: nothing at all, a list, a text. */
  readonly object?: KubeObject | undefined;
  readonly edition: Edition;
}

/** Reads what a message says about which object. */
export function readIncoming(message: Message): Incoming {
  const content = contentJson(message);
  const object = isKubeObject(content) ? content : undefined;
  const edition = editionOf(object, message.header.resourceVersion);
  return { place: placeOf(message.route.resource, object), object, edition };
}

/** Where the object under a resource string belongs. Its kind is read from the object, if given, else from the string. */
export function placeOf(key: string, object?: KubeObject): Place {
  const resource = parseResource(key);
  if (resource.form !== 'object') return { key, type: key.split('/').at(1) ?? '', namespace: '', name: '' };
  const { type, namespace, name = '' } = resource;
  const kind = object === undefined ? STORED_KINDS.get(type) : kindOf(type, object);
  // Some cluster-wide kinds travel under a namespace.
  return { key, type, kind, namespace: kind?.namespaced === false ? '' : (namespace ?? ''), name };
}

/** An object as the node has it. */
export interface StoredObject {
  readonly place: Place;
  readonly object: KubeObject;
  readonly edition: Edition;
}

/** What the node has at a place. The kind of an object that came without one is found from what was stored first. */
export function readStored(store: MetaStore, place: Place): StoredObject | undefined {
  const { kind, namespace, name, key } = place;
  const row = kind && name !== '' ? store.getObject(kind, namespace, name) : undefined;
  const object = parseKubeObject((row ?? store.getMeta(key))?.value ?? '');
  if (object === undefined) return undefined;
  const edition = editionOf(object, row && row.resourceVersion > 0n ? String(row.resourceVersion) : undefined);
  return { object, edition, place: kind === undefined ? placeOf(key, object) : place };
}

/** Writes an object under both of its keys. */
export function writeStored(store: MetaStore, { place, object, edition }: StoredObject): void {
  const { key, type, kind, namespace, name } = place;
  const value = JSON.stringify(object);
  store.putMeta({ key, type, value });
  if (kind === undefined || name === '') return;
  store.putObject({ kind, namespace, name, resourceVersion: edition.resourceVersion ?? 0n, value });
}

/** The object as it is stored: with the kind its place says it is. */
export function asStored({ kind }: Place, object: KubeObject): KubeObject {
  return kind === undefined ? object : withKind(object, apiVersionOf(kind), kind.kind);
}

/** Writes content that is not a Kubernetes object, as it came. */
export function writeRaw(store: MetaStore, { key, type }: Place, message: Message): void {
  store.putMeta({ key, type, value: contentText(message) });
}

/** Takes out an object, and with a pod what the node had to say about it. */
export function deleteStored(store: MetaStore, { key, type, kind, namespace, name }: Place): void {
  store.deleteMeta(key);
  if (kind !== undefined && name !== '') store.deleteObject(kind, namespace, name);
  if (type !== 'pod') return;
  for (const said of ['podstatus', 'podpatch']) store.deleteMeta(`${namespace}/${said}/${name}`);
}

/** The newest edition the node has ever seen at a place: of what is there, or of what was deleted there last. */
export function seenEdition(store: MetaStore, place: Place, stored: StoredObject | undefined): Edition | undefined {
  return stored === undefined ? store.getDeletion(place.key) : stored.edition;
}

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
