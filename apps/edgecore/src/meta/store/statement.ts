import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { databaseError } from './database-error.ts';

/** One row of an answer. Integers are big ones. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** A prepared statement whose failures are catalogue errors. */
export interface Statement {
  all(...values: SQLInputValue[]): readonly Row[];
  get(...values: SQLInputValue[]): Row | undefined;
  /** Returns how many rows changed. */
  run(...values: SQLInputValue[]): number;
}

/** Prepares a statement. */
export function prepareStatement(database: DatabaseSync, sql: string): Statement {
  const statement = attempt(() => database.prepare(sql));
  statement.setReadBigInts(true);
  return {
    all: (...values) => attempt(() => statement.all(...values)),
    get: (...values) => attempt(() => statement.get(...values)),
    run: (...values) => attempt(() => Number(statement.run(...values).changes)),
  };
}

/** Does something with the database; what SQLite throws becomes a catalogue error. */
export function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw databaseError(cause, "use the node's database");
  }
}

/** A text column; NULL is the empty text. */
export function textIn(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : '';
}

/** An integer column; NULL, and text an older version may have written, count as zero. */
export function integerIn(row: Row, column: string): bigint {
  const value = row[column];
  return typeof value === 'bigint' ? value : 0n;
}
