import type { ObjectStore, StoreWriter } from '../store/object-store.ts';
import type { WatchHub } from '../watch/watch-hub.ts';
import { inVersionOf } from './draft.ts';
import type { KubeObject, ObjectDraft } from './kube-object.ts';
import { readerOf } from './object-reader.ts';
import type { ObjectEvent, ObjectKey, ObjectService } from './object-service.ts';
import { resourceName, type ResourceKind, type ResourceRef } from './resource-kind.ts';
import { notFound } from './status-error.ts';
import { createObject } from './writes/create-object.ts';
import { deleteObject } from './writes/delete-object.ts';
import { storedRef, type ManagedWriteOptions, type Write, type WriteEnvironment } from './writes/environment.ts';
import { updateObject } from './writes/update-object.ts';

/** The object service with what only the REST server needs. */
export interface ManagedObjectService extends ObjectService {
  /** Changes the object or, where there is none, makes it. `change` gets undefined then; the outcome says which. */
  upsert(kind: ResourceKind, key: ObjectKey, change: UpsertChange, options: ManagedWriteOptions): Promise<Upserted>;
}

/** Works out the new state; `undefined` current means that the object is to be made. */
export type UpsertChange = (current: KubeObject | undefined) => ObjectDraft;

/** What an upsert did. */
export interface Upserted {
  readonly object: KubeObject;
  readonly created: boolean;
}

/** Objects over one store. */
export function createObjectService(
  store: ObjectStore,
  hub: WatchHub,
  environment: WriteEnvironment,
): ManagedObjectService {
  const within = (kind: ResourceKind, options: ManagedWriteOptions, writer: StoreWriter): Write => {
    return { environment, writer, kind, options };
  };
  const upsert: ManagedObjectService['upsert'] = (kind, key, change, options) =>
    store.write((writer) => {
      const current = writer.get(storedRef(kind, key));
      const draft = change(current && inVersionOf(current, kind));
      const write = within(kind, options, writer);
      if (!current) return { object: createObject(write, draft), created: true };
      return { object: updateObject(write, current, draft), created: false };
    });
  return {
    ...readerOf(store),
    upsert,
    create: (kind, draft, options) => store.write((writer) => createObject(within(kind, options, writer), draft)),
    async update(kind, key, change, options) {
      const existing = (current: KubeObject | undefined) => change(requireFound(current, kind, key));
      return (await upsert(kind, key, existing, options)).object;
    },
    delete: (kind, key, options) =>
      store.write((writer) => {
        const current = requireFound(writer.get(storedRef(kind, key)), kind, key);
        return deleteObject(within(kind, options, writer), current, options);
      }),
    follow: (resource, onEvent, signal) => follow(store, hub, resource, guarded(onEvent, environment), signal),
    revision: () => String(store.revision()),
  };
}

type OnEvent = (event: ObjectEvent) => void;

function follow(store: ObjectStore, hub: WatchHub, resource: ResourceRef, tell: OnEvent, signal: AbortSignal): void {
  for (const object of readerOf(store).list(resource)) tell({ type: 'ADDED', object });
  const stop = hub.watch(resourceName(resource), store.revision(), {
    changed: ({ type, object, previous }) => tell(previous ? { type, object, previous } : { type, object }),
    ended() {},
  });
  if (stop) signal.addEventListener('abort', stop, { once: true });
}

function guarded(onEvent: OnEvent, environment: WriteEnvironment): OnEvent {
  return (event) => {
    try {
      onEvent(event);
    } catch (error) {
      if (!environment.onFollowerError) throw error;
      environment.onFollowerError(error, event.object);
    }
  };
}

function requireFound(object: KubeObject | undefined, kind: ResourceKind, key: ObjectKey): KubeObject {
  if (!object) throw notFound(kind, key.name);
  return object;
}
