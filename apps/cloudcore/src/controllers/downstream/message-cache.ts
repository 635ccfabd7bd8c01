import { OPERATIONS, type Message, type SyncedKind } from '@fenestra/contracts';
import type { KubeApi, KubeObject } from '@fenestra/kube-api';
import type { KnownObject } from '../known-object.ts';
import { objectMessage } from '../object-messages.ts';
import { limiter } from '../limiter.ts';

/** Makes messages about objects. One message serves all nodes, so that it is encoded once. */
export interface MessageCache {
  /** For an object in memory. */
  make(kind: SyncedKind, operation: string, object: KubeObject): Message;
  /** For an object that has to be fetched; undefined if it was deleted in the meantime. */
  fetch(known: KnownObject, operation: string, signal: AbortSignal): Promise<Message | undefined>;
}

const CACHE_SIZE = 128;
const FETCHES = 16;

/** Caches the latest messages, and requests each object once from the API server for any number of nodes. */
export function messageCache(api: KubeApi): MessageCache {
  const cache = new Map<string, Message>();
  const fetching = new Map<string, Promise<KubeObject | undefined>>();
  const limit = limiter(FETCHES);
  const make: MessageCache['make'] = (kind, wanted, object) => {
    const operation = object.metadata.deletionTimestamp === undefined ? wanted : OPERATIONS.update;
    const key = keyOf(object.metadata.uid ?? '', operation, object.metadata.resourceVersion ?? '');
    const message = cache.get(key) ?? objectMessage(kind, operation, object);
    cache.delete(key);
    cache.set(key, message);
    if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value ?? '');
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
      const ready = cache.get(keyOf(known.uid, operation, known.version));
      if (ready !== undefined) return ready;
      const object = await load(known, signal);
      return object?.metadata.uid === known.uid ? make(known.kind, operation, object) : undefined;
    },
  };
}

function keyOf(uid: string, operation: string, version: string): string {
  return `${uid}/${operation}/${version}`;
}
