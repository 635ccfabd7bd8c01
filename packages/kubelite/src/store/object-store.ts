import type { Logger } from '@fenestra/platform';
import type { KubeObject } from '../objects/kube-object.ts';
import { type Change, commitQueue } from './commit-queue.ts';
import { openDatabase } from './database.ts';
import { fullDiskReporter, reportDamage } from './reports.ts';
import { type DamagedObject, stillMissing } from './set-damaged-aside.ts';
import { objectRows, type ObjectRows, type PageQuery, revisionRow, type StoredRef } from './object-rows.ts';

/** Reads: of what is committed, or inside a write of what it and the writes before it made. */
export interface StoreReader {
  get(ref: StoredRef): KubeObject | undefined;
  /** JSON texts in order of namespace and name; parse only what is needed. */
  page(query: PageQuery): IterableIterator<string>;
  count(query: PageQuery): number;
  dependents(uid: string): readonly StoredRef[];
  byUid(uid: string): readonly StoredRef[];
}

/** What a write may do. Every `put` and `remove` takes the next revision. */
export interface StoreWriter extends StoreReader {
  /** Stores the object with its new resourceVersion, and returns it so. */
  put(ref: StoredRef, object: KubeObject): KubeObject;
  /** Removes it and returns its last state with the resourceVersion of the removal; absent objects are undefined. */
  remove(ref: StoredRef): KubeObject | undefined;
}

/** All objects on disk, under one resourceVersion that only goes up. */
export interface ObjectStore extends StoreReader {
  /** Resolves once what `work` did is on disk. `work` runs in a transaction and must not wait; a throw undoes it. */
  write<T>(work: (writer: StoreWriter) => T): Promise<T>;
  /** Calls back with every commit's changes, in order, before the writers are answered. */
  onCommit(callback: (changes: readonly Change[]) => void): void;
  revision(): number;
  /** Objects that have owners, and objects waiting for finalizers or grace: where garbage collection starts. */
  owned(): readonly StoredRef[];
  deleting(): readonly StoredRef[];
  /** Objects that were set aside because their stored form is damaged, and that have not been created again. */
  damaged(): readonly DamagedObject[];
  /** Commits what is waiting and closes the file. */
  close(): void;
}

/** Where the store reports damage and a full disk. */
export interface ObjectStoreOptions {
  readonly log?: Pick<Logger, 'error' | 'info'>;
  readonly now?: Date;
}

/** Opens the store in one file. One process at a time. */
export function openObjectStore(
  file: string,
  { log: reports, now = new Date() }: ObjectStoreOptions = {},
): ObjectStore {
  const opened = openDatabase(file, now);
  reportDamage(opened, reports);
  const { database } = opened;
  const rows = objectRows(database);
  const revision = revisionRow(database);
  const log = changeLog();
  const callbacks: ((changes: readonly Change[]) => void)[] = [];
  const queue = commitQueue(database, {
    beforeCommit: () => revision.save(),
    committed: () => {
      revision.committed();
      const changes = log.take();
      for (const callback of callbacks) callback(changes);
    },
    undone(scope) {
      if (scope === 'work') log.dropWork();
      else log.take();
      if (scope === 'batch') revision.undo();
    },
    kept: () => log.keep(),
  });
  const fullDisk = fullDiskReporter(reports);
  const reader = storeReader(rows);
  const writer = storeWriter(rows, reader, () => revision.next(), log.add);
  return {
    ...reader,
    write: (work) => fullDisk.explained(queue.enqueue(() => work(writer))),
    onCommit: (callback) => void callbacks.push(callback),
    revision: () => revision.current(),
    owned: () => rows.owned(),
    deleting: () => rows.deleting(),
    damaged: () => stillMissing(database),
    close() {
      queue.flush();
      if (database.isOpen) database.close();
    },
  };
}

function storeReader(rows: ObjectRows): StoreReader {
  return {
    get(ref) {
      const body = rows.body(ref);
      return body === undefined ? undefined : parseBody(body);
    },
    page: (query) => rows.page(query),
    count: (query) => rows.count(query),
    dependents: (uid) => rows.dependents(uid),
    byUid: (uid) => rows.byUid(uid),
  };
}

/** An object from its stored text. Only this package writes those, so the shape is known. */
export function parseBody(body: string): KubeObject {
  const object: KubeObject = JSON.parse(body);
  return object;
}

function storeWriter(
  rows: ObjectRows,
  reader: StoreReader,
  next: () => number,
  record: (change: Change) => void,
): StoreWriter {
  return {
    ...reader,
    put(ref, object) {
      const previous = reader.get(ref);
      const revision = next();
      const stored = withRevision(object, revision);
      const body = JSON.stringify(stored);
      rows.put(ref, stored, body);
      const change = { revision, resource: ref.resource, object: stored, body };
      record(previous ? { type: 'MODIFIED', ...change, previous } : { type: 'ADDED', ...change });
      return stored;
    },
    remove(ref) {
      const previous = reader.get(ref);
      if (!previous) return;
      const revision = next();
      const object = withRevision(previous, revision);
      rows.remove(ref);
      record({ type: 'DELETED', revision, resource: ref.resource, object, previous, body: JSON.stringify(object) });
      return object;
    },
  };
}

function withRevision(object: KubeObject, revision: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

function changeLog() {
  let kept: Change[] = [];
  let work: Change[] = [];
  return {
    add: (change: Change) => void work.push(change),
    dropWork: () => void (work = []),
    keep() {
      kept.push(...work);
      work = [];
    },
    take() {
      const all = kept;
      kept = [];
      work = [];
      return all;
    },
  };
}
