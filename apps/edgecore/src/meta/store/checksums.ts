import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { OperatorError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import { CHECKED_TABLES, type CheckedTable } from './checked-tables.ts';
import { prepareStatement, type Row, textIn } from './statement.ts';
import { inTransaction } from './transaction.ts';

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
