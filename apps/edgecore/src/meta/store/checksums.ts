import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { OperatorError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import { inTransaction, prepareStatement, type Row, textIn } from './statement.ts';

/** A table whose rows have checksums. Each has a unique column `key`. */
type CheckedTable =
  | 'fenestra_deletion'
  | 'fenestra_outbox'
  | 'fenestra_pod'
  | 'fenestra_pod_token'
  | 'meta'
  | 'meta_v2';

/** The columns that a checksum is over. */
const CHECKED_TABLES: ReadonlyMap<CheckedTable, readonly string[]> = new Map([
  ['meta', ['key', 'type', 'value']],
  ['meta_v2', ['key', 'group_version_resource', 'namespace', 'name', 'resource_version', 'value']],
  ['fenestra_outbox', ['key', 'message']],
  ['fenestra_pod', ['key', 'value']],
  ['fenestra_pod_token', ['key', 'uid', 'value']],
  ['fenestra_deletion', ['key', 'uid', 'created_at', 'resource_version']],
]);

const TABLES = `
  CREATE TABLE IF NOT EXISTS fenestra_checksum (
    source text, key text, checksum integer, PRIMARY KEY (source, key)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS fenestra_damaged (found text, source text, key text, row text);`;

/**
 * Makes the table of checksums. Triggers drop the checksum of a row that anyone changes, also upstream's agent, which
 * does not know of them. If such an agent has made a table again without its triggers, no checksum counts.
 */
export function prepareChecksums(database: DatabaseSync): void {
  database.exec(TABLES);
  const present = database.prepare(`SELECT count(*) AS count FROM sqlite_schema WHERE name LIKE 'fenestra_changed_%'`);
  const triggers = [...CHECKED_TABLES.keys()].flatMap((table) => [
    triggerText(table, 'INSERT', 'new'),
    triggerText(table, 'UPDATE', 'old'),
    triggerText(table, 'DELETE', 'old'),
  ]);
  if (Number(present.get()?.['count']) !== triggers.length) database.exec('DELETE FROM fenestra_checksum');
  for (const trigger of triggers) database.exec(trigger);
}

function triggerText(table: CheckedTable, event: 'DELETE' | 'INSERT' | 'UPDATE', row: 'new' | 'old'): string {
  return `CREATE TRIGGER IF NOT EXISTS fenestra_changed_${table}_${event} AFTER ${event} ON ${table} BEGIN
    DELETE FROM fenestra_checksum WHERE source = '${table}' AND key = ${row}.key; END`;
}

/** The checksums of the rows that a node must be able to trust. */
export interface Checksums {
  /** Stores the checksum of a row that was just written, in the same transaction. */
  mark(table: CheckedTable, row: Row): void;
  /** The rows that are as they were written; the others are set aside. Rows of another agent have no checksum and count. */
  sound(table: CheckedTable, rows: readonly Row[]): readonly Row[];
}

/** Reads rows of a table with their checksums. */
export function selectChecked(table: CheckedTable, rest: string): string {
  return `SELECT ${table}.*, fenestra_checksum.checksum FROM ${table} LEFT JOIN fenestra_checksum
    ON fenestra_checksum.source = '${table}' AND fenestra_checksum.key = ${table}.key ${rest}`;
}

/** Checksums over an open database. */
export function openChecksums(database: DatabaseSync, log: Logger, now: () => Date): Checksums {
  const put = prepareStatement(database, 'INSERT OR REPLACE INTO fenestra_checksum VALUES (?, ?, ?)');
  const keep = prepareStatement(database, 'INSERT INTO fenestra_damaged VALUES (?, ?, ?, ?)');
  const reported = new Set<string>();
  const setAside = (table: CheckedTable, row: Row) => {
    const key = textIn(row, 'key');
    const remove = prepareStatement(database, `DELETE FROM ${table} WHERE key = ?`);
    unlessDiskFull(database, () => {
      keep.run(now().toISOString(), table, key, textOf(table, row));
      remove.run(key);
    });
    // On a full disk the row stays, and is found again each time the table is read.
    if (!reported.has(`${table} ${key}`)) log.error('A stored object was damaged and is set aside', { table, key });
    reported.add(`${table} ${key}`);
  };
  return {
    mark: (table, row) => void put.run(table, textIn(row, 'key'), checksumOf(table, row)),
    sound(table, rows) {
      const damaged = new Set(rows.filter((row) => isDamaged(table, row)));
      for (const row of damaged) setAside(table, row);
      return damaged.size === 0 ? rows : rows.filter((row) => !damaged.has(row));
    },
  };
}

/** Prepares the reads and writes of a table with checksums: only sound rows are read, and each row is written with its checksum. */
export function checkedTable(database: DatabaseSync, checksums: Checksums, table: CheckedTable) {
  const columns = CHECKED_TABLES.get(table) ?? [];
  const values = columns.map(() => '?').join(', ');
  const put = prepareStatement(database, `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${values})`);
  const remove = prepareStatement(database, `DELETE FROM ${table} WHERE key = ?`);
  return {
    reader(rest: string) {
      const select = prepareStatement(database, selectChecked(table, rest));
      return (...given: string[]): readonly Row[] => checksums.sound(table, select.all(...given));
    },
    put: (row: Row) =>
      inTransaction(database, () => {
        put.run(...columns.map((column) => row[column] ?? null));
        checksums.mark(table, row);
      }),
    remove: (key: string) => void remove.run(key),
  };
}

/** Checks every row, and gives a checksum to those that an older version or another agent wrote. */
export function checkRows(database: DatabaseSync, checksums: Checksums): void {
  for (const table of CHECKED_TABLES.keys()) {
    const rows = database.prepare(selectChecked(table, ''));
    rows.setReadBigInts(true);
    const unmarked: Row[] = [];
    const damaged: Row[] = [];
    for (const row of rows.iterate()) {
      if (row['checksum'] === null) unmarked.push(row);
      else if (isDamaged(table, row)) damaged.push(row);
    }
    checksums.sound(table, damaged);
    if (unmarked.length > 0) unlessDiskFull(database, () => unmarked.forEach((row) => checksums.mark(table, row)));
  }
}

/** What can as well be done at a later start must not keep an agent with a full disk from starting. */
function unlessDiskFull(database: DatabaseSync, work: () => void): void {
  try {
    inTransaction(database, work);
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'DISK_FULL') throw error;
  }
}

function isDamaged(table: CheckedTable, row: Row): boolean {
  return row['checksum'] !== null && row['checksum'] !== BigInt(checksumOf(table, row));
}

function checksumOf(table: CheckedTable, row: Row): number {
  return crc32(textOf(table, row));
}

function textOf(table: CheckedTable, row: Row): string {
  return JSON.stringify((CHECKED_TABLES.get(table) ?? []).map((column) => String(row[column] ?? '')));
}
