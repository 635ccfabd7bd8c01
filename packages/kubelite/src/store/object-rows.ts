import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ObjectKey } from '../objects/object-service.ts';
import { bodyOf, checksumOf, type Row } from './stored-body.ts';

/** Where an object is, over all resources. */
export interface StoredRef extends ObjectKey {
  readonly resource: string;
}

/** Which stretch of a resource to read: `after` is the last object of the page before. */
export interface PageQuery {
  readonly resource: string;
  /** Empty for all. */
  readonly namespace: string;
  readonly after?: ObjectKey;
  /** 0 for all. */
  readonly limit: number;
}

/** Plain reads and writes of rows; knows nothing of versions. */
export interface ObjectRows {
  body(ref: StoredRef): string | undefined;
  /** Bodies in order of namespace and name. Throws for one that is damaged, as `body` does. */
  page(query: PageQuery): IterableIterator<string>;
  count(query: PageQuery): number;
  /** The objects that name this uid as an owner. */
  dependents(uid: string): readonly StoredRef[];
  byUid(uid: string): readonly StoredRef[];
  /** Everything that has an owner, and everything waiting to be gone. */
  owned(): readonly StoredRef[];
  deleting(): readonly StoredRef[];
  put(ref: StoredRef, object: KubeObject, body: string): void;
  remove(ref: StoredRef): void;
}

const ALL = -1;
const REFS = 'SELECT resource, namespace, name FROM';
const THIS_ONE = 'WHERE resource = ? AND namespace = ? AND name = ?';
const EVERYWHERE = 'WHERE resource = :resource AND (namespace, name) > (:afterNamespace, :afterName)';
const IN_NAMESPACE = 'WHERE resource = :resource AND namespace = :namespace AND name > :afterName';
const BODY = 'SELECT body, checksum FROM objects';
const UPSERT = `INSERT INTO objects (resource, namespace, name, uid, deleting, body, checksum)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET uid = excluded.uid, deleting = excluded.deleting,
  body = excluded.body, checksum = excluded.checksum`;

/** Prepares every statement once. */
export function objectRows(database: DatabaseSync): ObjectRows {
  return { ...singleRows(database), ...pages(database), ...ownership(database) };
}

function singleRows(database: DatabaseSync): Pick<ObjectRows, 'body' | 'put' | 'remove'> {
  const select = database.prepare(`${BODY} ${THIS_ONE}`);
  const upsert = database.prepare(UPSERT);
  const remove = database.prepare(`DELETE FROM objects ${THIS_ONE}`);
  const addOwner = database.prepare('INSERT OR IGNORE INTO owners VALUES (?, ?, ?, ?)');
  const dropOwners = database.prepare(`DELETE FROM owners ${THIS_ONE}`);
  return {
    body(ref) {
      const row = select.get(...placeOf(ref));
      return row && bodyOf(row, ref);
    },
    put(ref, object, body) {
      const deleting = object.metadata.deletionTimestamp === undefined ? 0 : 1;
      upsert.run(...placeOf(ref), object.metadata.uid, deleting, body, checksumOf(body));
      dropOwners.run(...placeOf(ref));
      for (const owner of object.metadata.ownerReferences ?? []) addOwner.run(owner.uid, ...placeOf(ref));
    },
    remove(ref) {
      remove.run(...placeOf(ref));
      dropOwners.run(...placeOf(ref));
    },
  };
}

function pages(database: DatabaseSync): Pick<ObjectRows, 'count' | 'page'> {
  return {
    // A statement of its own each time, since a list may be read while another is still open.
    page(query) {
      const { where, values } = rangeOf(query);
      const select = database.prepare(`${BODY} ${where} ORDER BY namespace, name LIMIT :limit`);
      return bodies(select.iterate({ ...values, limit: query.limit || ALL }), query);
    },
    count(query) {
      const { where, values } = rangeOf(query);
      return Number(database.prepare(`SELECT count(*) AS count FROM objects ${where}`).get(values)?.['count'] ?? 0);
    },
  };
}

function ownership(database: DatabaseSync): Pick<ObjectRows, 'byUid' | 'deleting' | 'dependents' | 'owned'> {
  const dependents = database.prepare(`${REFS} owners WHERE owner = ?`);
  const byUid = database.prepare(`${REFS} objects WHERE uid = ?`);
  const owned = database.prepare('SELECT DISTINCT resource, namespace, name FROM owners');
  const deleting = database.prepare(`${REFS} objects WHERE deleting = 1`);
  return {
    dependents: (uid) => dependents.all(uid).map(refOf),
    byUid: (uid) => byUid.all(uid).map(refOf),
    owned: () => owned.all().map(refOf),
    deleting: () => deleting.all().map(refOf),
  };
}

function placeOf(ref: StoredRef): [string, string, string] {
  return [ref.resource, ref.namespace, ref.name];
}

function rangeOf({ resource, namespace, after }: PageQuery): { where: string; values: Record<string, string> } {
  const afterNamespace = after?.namespace ?? '';
  const afterName = after?.name ?? '';
  return namespace === ''
    ? { where: EVERYWHERE, values: { resource, afterNamespace, afterName } }
    : { where: IN_NAMESPACE, values: { resource, namespace, afterName } };
}

function* bodies(rows: IterableIterator<Row>, query: PageQuery): IterableIterator<string> {
  for (const row of rows) yield bodyOf(row, query);
}

function refOf(row: Row): StoredRef {
  const { resource, namespace, name } = row;
  return { resource: textOf(resource) ?? '', namespace: textOf(namespace) ?? '', name: textOf(name) ?? '' };
}

function textOf(value: SQLOutputValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
