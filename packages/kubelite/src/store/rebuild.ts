import type { DatabaseSync } from 'node:sqlite';
import type { KubeObject } from '../objects/kube-object.ts';
import { damageOf, objectRows, type ObjectRows, type Row, type StoredRef } from './object-rows.ts';
import { isCurrent } from './schema.ts';

const NAMES = 'SELECT rowid AS number, resource, namespace, name FROM objects INDEXED BY sqlite_autoindex_objects_1';
const NUMBERS = 'SELECT rowid AS number FROM objects NOT INDEXED';
const ROW = 'SELECT * FROM objects WHERE rowid = ?';

const DAMAGED_COLUMNS = ['found', 'reason', 'resource', 'namespace', 'name', 'body'];

/** What a rebuild came to. */
export interface Rebuilt {
  readonly kept: number;
  readonly lost: number;
  /** Whether every object was found, be it only its name. */
  readonly complete: boolean;
}

/** Copies everything that can still be read from a damaged database into a new one, and names there what cannot. */
export function rebuild(damaged: DatabaseSync, fresh: DatabaseSync, now: Date): Rebuilt {
  const named = readable(damaged, NAMES, ['resource', 'namespace', 'name']);
  const names = new Map(named.rows.map((row) => [row['number'], row]));
  const numbered = readable(damaged, NUMBERS, ['rowid']);
  const all = new Set([...names.keys(), ...numbered.rows.map((row) => row['number'])]);
  const select = damaged.prepare(ROW);
  const checksums = isCurrent(damaged);
  let lost = 0;
  const lose = fresh.prepare('INSERT INTO damaged (found, reason, resource, namespace, name) VALUES (?, ?, ?, ?, ?)');
  const rows = objectRows(fresh);
  fresh.exec('BEGIN IMMEDIATE');
  for (const number of all) {
    const found = attempt(() => select.get(number ?? null));
    const row = found && { ...found, checksum: (checksums ? found['checksum'] : null) ?? null };
    const known = names.get(number);
    const reason = row ? (damageOf(row) ?? copy(row, known, rows)) : 'its page cannot be read';
    if (reason === undefined) continue;
    lost += 1;
    const { resource, namespace, name } = refIn(known ?? row ?? {});
    lose.run(now.toISOString(), reason, resource, namespace, name);
  }
  copyRevision(damaged, fresh, checksums);
  copyDamaged(damaged, fresh);
  fresh.exec('COMMIT');
  return { kept: all.size - lost, lost, complete: named.complete || numbered.complete };
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
function copyRevision(damaged: DatabaseSync, fresh: DatabaseSync, checksums: boolean): void {
  const row = attempt(() => damaged.prepare('SELECT * FROM revision').get());
  const update = fresh.prepare('UPDATE revision SET value = ?, checksum = ?');
  const checksum = row && !checksums ? null : Number(row?.['checksum'] ?? -1);
  update.run(Number(row?.['value'] ?? 1), checksum);
}

/** What was set aside earlier is still missing. */
function copyDamaged(damaged: DatabaseSync, fresh: DatabaseSync): void {
  const insert = fresh.prepare('INSERT INTO damaged VALUES (?, ?, ?, ?, ?, ?)');
  for (const row of readable(damaged, 'SELECT * FROM damaged', ['rowid']).rows)
    insert.run(...DAMAGED_COLUMNS.map((column) => row[column] ?? null));
}

interface Listing {
  readonly rows: readonly Row[];
  readonly complete: boolean;
}

/** Rows from both ends of a table or an index, as far as they can be read. */
function readable(database: DatabaseSync, select: string, columns: readonly string[]): Listing {
  const upward = rowsUntilDamage(database, `${select} ORDER BY ${columns.join(', ')}`);
  if (upward.complete) return upward;
  const downward = rowsUntilDamage(database, `${select} ORDER BY ${columns.map((name) => `${name} DESC`).join(', ')}`);
  return { rows: [...upward.rows, ...downward.rows], complete: false };
}

function rowsUntilDamage(database: DatabaseSync, select: string): Listing {
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
