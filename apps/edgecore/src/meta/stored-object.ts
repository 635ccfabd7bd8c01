import { contentText, type Message } from '@fenestra/contracts';
import { type KubeObject, parseKubeObject, withKind } from './kube-object.ts';
import { apiVersionOf } from './kinds.ts';
import { type Place, placeOf } from './incoming.ts';
import { type Edition, editionOf } from './precedence.ts';
import type { MetaStore } from './store/meta-store.ts';

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

/** Writes content that is no Kubernetes object, as it came. */
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
