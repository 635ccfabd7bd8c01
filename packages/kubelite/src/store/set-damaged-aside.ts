import type { DatabaseSync } from 'node:sqlite';
import { checksumOf, damageOf, type StoredRef } from './object-rows.ts';

/** An object whose stored form is damaged. */
export interface DamagedObject extends StoredRef {
  readonly reason: string;
}

const COLUMNS = 'rowid AS number, resource, namespace, name, body, checksum';

/**
 * Checks every object, gives a checksum to those that have none, and moves damaged ones to the table `damaged`.
 * Returns those found now. A database without damage is only read.
 */
export function setDamagedAside(database: DatabaseSync, now: Date): readonly DamagedObject[] {
  const damaged = new Map<number, DamagedObject>();
  const unmarked = new Map<number, number>();
  for (const row of database.prepare(`SELECT ${COLUMNS} FROM objects`).iterate()) {
    const reason = damageOf(row);
    const number = Number(row['number']);
    if (reason !== undefined) damaged.set(number, { ...refIn(row), reason });
    else if (row['checksum'] === null) unmarked.set(number, checksumOf(String(row['body'])));
  }
  if (damaged.size + unmarked.size > 0) moveAndMark(database, damaged, unmarked, now);
  return [...damaged.values()];
}

/** Objects that were set aside, now or earlier, and that no one has created again. */
export function stillMissing(database: DatabaseSync): readonly DamagedObject[] {
  const missing = `SELECT DISTINCT resource, namespace, name, reason FROM damaged
    WHERE NOT EXISTS (SELECT 1 FROM objects WHERE objects.resource = damaged.resource
      AND objects.namespace = damaged.namespace AND objects.name = damaged.name)`;
  return database
    .prepare(missing)
    .all()
    .map((row) => ({ ...refIn(row), reason: String(row['reason']) }));
}

function moveAndMark(
  database: DatabaseSync,
  damaged: ReadonlyMap<number, DamagedObject>,
  unmarked: ReadonlyMap<number, number>,
  now: Date,
): void {
  const copy = database.prepare(`INSERT INTO damaged (found, reason, resource, namespace, name, body)
    SELECT ?, ?, resource, namespace, name, CAST(body AS BLOB) FROM objects WHERE rowid = ?`);
  const remove = database.prepare('DELETE FROM objects WHERE rowid = ?');
  const removeOwners = database.prepare('DELETE FROM owners WHERE resource = ? AND namespace = ? AND name = ?');
  const mark = database.prepare('UPDATE objects SET checksum = ? WHERE rowid = ?');
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const [number, checksum] of unmarked) mark.run(checksum, number);
    for (const [number, { resource, namespace, name, reason }] of damaged) {
      copy.run(now.toISOString(), reason, number);
      remove.run(number);
      removeOwners.run(resource, namespace, name);
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function refIn(row: Readonly<Record<string, unknown>>): StoredRef {
  return { resource: String(row['resource']), namespace: String(row['namespace']), name: String(row['name']) };
}
