import type { DatabaseSync } from 'node:sqlite';
import type { KubeObject } from '../objects/kube-object.ts';
import { objectRows, type ObjectRows, type StoredRef } from './object-rows.ts';
import { damageOf, type Row } from './stored-body.ts';

const NAMES = 'SELECT rowid AS number, resource, namespace, name FROM objects INDEXED BY sqlite_autoindex_objects_1';
const NUMBERS = 'SELECT rowid AS number FROM objects NOT INDEXED';
const ROW = 'SELECT resource, namespace, name, body, checksum FROM objects WHERE rowid = ?';

/** Copies everything that can still be read from a damaged database into a new one, and names there what cannot. */
export function rebuild(damaged: DatabaseSync, fresh: DatabaseSync, now: Date): void {
  const names = new Map(readable(damaged, NAMES, ['resource', 'namespace', 'name']).map((row) => [row['number'], row]));
  const numbers = readable(damaged, NUMBERS, ['rowid']).map((row) => row['number']);
  const lose = fresh.prepare('INSERT INTO damaged (found, reason, resource, namespace, name) VALUES (?, ?, ?, ?, ?)');
  const rows = objectRows(fresh);
  fresh.exec('BEGIN IMMEDIATE');
  for (const number of new Set([...names.keys(), ...numbers])) {
    const row = attempt(() => damaged.prepare(ROW).get(number ?? null));
    const known = names.get(number);
    const reason = row ? (damageOf(row) ?? copy(row, known, rows)) : 'its page cannot be read';
    if (reason === undefined) continue;
    const { resource, namespace, name } = refIn(known ?? row ?? {});
    lose.run(now.toISOString(), reason, resource, namespace, name);
  }
  copyRevision(damaged, fresh);
  fresh.exec('COMMIT');
}

/** Stores a row under the name that its text has, which the row or its index must have too. Returns what is wrong otherwise. */
function copy(row: Row, known: Row | undefined, rows: ObjectRows): string | undefined {
  const body = String(row['body']);
  const object: KubeObject = JSON.parse(body);
  const { namespace = '', name } = object.metadata;
  const refs = [row, ...(known ? [known] : [])]
    .map(refIn)
    .filter((ref) => ref.name === name && ref.namespace === namespace);
  const [ref] = refs;
  if (!ref || refs.some(({ resource }) => resource !== ref.resource)) return 'its name does not match its text';
  rows.put(ref, object, body);
  return undefined;
}

/** A revision that cannot be read is left without a valid checksum, so that opening works out a new one. */
function copyRevision(damaged: DatabaseSync, fresh: DatabaseSync): void {
  const row = attempt(() => damaged.prepare('SELECT value, checksum FROM revision').get());
  const update = fresh.prepare('UPDATE revision SET value = ?, checksum = ?');
  update.run(Number(row?.['value'] ?? 1), Number(row?.['checksum'] ?? -1));
}

/** Rows from both ends of a table or an index, as far as they can be read. */
function readable(database: DatabaseSync, select: string, columns: readonly string[]): readonly Row[] {
  const upward = rowsUntilDamage(database, `${select} ORDER BY ${columns.join(', ')}`);
  if (upward.complete) return upward.rows;
  const downward = rowsUntilDamage(database, `${select} ORDER BY ${columns.map((name) => `${name} DESC`).join(', ')}`);
  return [...upward.rows, ...downward.rows];
}

function rowsUntilDamage(database: DatabaseSync, select: string): { readonly rows: Row[]; readonly complete: boolean } {
  const rows: Row[] = [];
  const complete = attempt(() => {
    for (const row of database.prepare(select).iterate()) rows.push(row);
    return true;
  });
  return { rows, complete: complete === true };
}

/** What cannot be read is undefined. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function refIn(row: Row): StoredRef {
  const text = (column: string) => (typeof row[column] === 'string' ? row[column] : '?');
  return { resource: text('resource'), namespace: text('namespace'), name: text('name') };
}
