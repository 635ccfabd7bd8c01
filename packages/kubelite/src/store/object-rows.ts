import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { isJsonObject, type Json } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ObjectKey } from '../objects/object-service.ts';
import { StatusError } from '../objects/status-error.ts';

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
    // Its own statement each time, since a list may be read while another is still open.
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

/** The store's version number: it only goes up, and never to a number that a commit did not keep. */
interface RevisionRow {
  /** The newest committed one. */
  current(): number;
  /** The next one, for a write on its way. */
  next(): number;
  /** Writes it, inside the transaction. */
  save(): void;
  committed(): void;
  /** The transaction failed: its numbers were never seen by anyone. */
  undo(): void;
}

// More than can have been given out after the newest revision that an object still has.
const GAP = 1_000_000;
const NEWEST = `SELECT max(CAST(json_extract(body, '$.metadata.resourceVersion') AS INTEGER)) AS newest FROM objects`;

/** Reads the stored number and counts on from it. One that is damaged is replaced by one that was never given out. */
export function revisionRow(database: DatabaseSync): RevisionRow {
  const update = database.prepare('UPDATE revision SET value = ?, checksum = ?');
  const save = (value: number) => update.run(value, checksumOf(String(value)));
  const row = database.prepare('SELECT value, checksum FROM revision').get();
  let committed = Number(row?.['value'] ?? 1);
  if (row?.['checksum'] !== null && row?.['checksum'] !== checksumOf(String(committed))) {
    committed = Number(database.prepare(NEWEST).get()?.['newest'] ?? 1) + GAP;
    save(committed);
  }
  let pending = committed;
  return {
    current: () => committed,
    next: () => (pending += 1),
    save: () => void (pending === committed || save(pending)),
    committed: () => void (committed = pending),
    undo: () => void (pending = committed),
  };
}

/** The checksum that is stored beside a text. */
export function checksumOf(text: string): number {
  return crc32(text);
}

/** Columns of a row. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Why the body of a row cannot be trusted; undefined if it can. A row without a checksum has to be an object. */
export function damageOf({ body, checksum }: Row): string | undefined {
  if (typeof body !== 'string') return 'its text cannot be read';
  if (checksum === null) return isObject(body) ? undefined : 'its text is not an object';
  return checksum === checksumOf(body) ? undefined : 'its text does not match its checksum';
}

/** The body of a row. Throws 500 rather than serve one that changed on the disk. */
function bodyOf({ body, checksum }: Row, place: { readonly resource: string; readonly name?: string }): string {
  if (typeof body === 'string' && checksum === checksumOf(body)) return body;
  const what = place.name === undefined ? `an object of "${place.resource}"` : `"${place.name}" of "${place.resource}"`;
  const hint = 'restart the cloud, which names it in the log and sets it aside';
  throw new StatusError(500, 'InternalError', `${what} is damaged on the disk: ${hint}`);
}

function isObject(body: string): boolean {
  try {
    const value: Json = JSON.parse(body);
    return isJsonObject(value) && isJsonObject(value['metadata']);
  } catch {
    return false;
  }
}
