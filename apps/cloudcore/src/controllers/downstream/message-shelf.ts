import { OPERATIONS, type Message, type SyncedKind } from '@fenestra/contracts';
import type { KubeApi, KubeObject } from '@fenestra/kube-api';
import type { KnownObject } from '../known-object.ts';
import { objectMessage } from '../object-messages.ts';
import { limiter } from '../limiter.ts';

/** Makes messages about objects. One message serves all nodes, so that it is encoded once. */
export interface MessageShelf {
  /** About an object that is at hand. */
  make(kind: SyncedKind, operation: string, object: KubeObject): Message;
  /** About an object that has to be fetched; undefined if it is gone meanwhile. */
  fetch(known: KnownObject, operation: string, signal: AbortSignal): Promise<Message | undefined>;
}

const SHELF_SIZE = 128;
const FETCHES = 16;

/** Keeps the messages made last, and asks the API server for each object once, however many nodes need it. */
export function messageShelf(api: KubeApi): MessageShelf {
  const shelf = new Map<string, Message>();
  const fetching = new Map<string, Promise<KubeObject | undefined>>();
  const limit = limiter(FETCHES);
  const make: MessageShelf['make'] = (kind, wanted, object) => {
    const operation = object.metadata.deletionTimestamp === undefined ? wanted : OPERATIONS.update;
    const key = keyOf(object.metadata.uid ?? '', operation, object.metadata.resourceVersion ?? '');
    const message = shelf.get(key) ?? objectMessage(kind, operation, object);
    shelf.delete(key);
    shelf.set(key, message);
    if (shelf.size > SHELF_SIZE) shelf.delete(shelf.keys().next().value ?? '');
    return message;
  };
  const load = (known: KnownObject, signal: AbortSignal): Promise<KubeObject | undefined> => {
    const running = fetching.get(known.uid);
    if (running !== undefined) return running;
    const request = limit(() => api.find(known.kind, known, signal)).finally(() => fetching.delete(known.uid));
    fetching.set(known.uid, request);
    return request;
  };
  return {
    make,
    async fetch(known, operation, signal) {
      const ready = shelf.get(keyOf(known.uid, operation, known.version));
      if (ready !== undefined) return ready;
      const object = await load(known, signal);
      return object?.metadata.uid === known.uid ? make(known.kind, operation, object) : undefined;
    },
  };
}

function keyOf(uid: string, operation: string, version: string): string {
  return `${uid}/${operation}/${version}`;
}
