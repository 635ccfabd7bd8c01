import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { type ErrorCode, OperatorError, systemCodeOf } from '@fenestra/kernel';

/** One row of an answer. Integers are big ones. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** A prepared statement whose failures are catalogue errors. */
interface Statement {
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
function attempt<T>(work: () => T): T {
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

/** Runs the work in a transaction. A transaction inside another is part of it. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  attempt(() => database.exec('BEGIN IMMEDIATE'));
  try {
    const result = work();
    attempt(() => database.exec('COMMIT'));
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

interface Meaning {
  readonly code: ErrorCode;
  readonly hint: string;
}

/** SQLite's primary result codes. */
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

const MEANINGS: ReadonlyMap<number, Meaning> = new Map([
  [3, { code: 'ACCESS_DENIED', hint: 'Give the account of the agent the right to write the file and its folder.' }],
  [5, { code: 'FILE_IN_USE', hint: 'Stop the other agent that uses the database.' }],
  [6, { code: 'FILE_IN_USE', hint: 'Stop the other agent that uses the database.' }],
  [8, { code: 'READ_ONLY', hint: 'Make the database and its folder writable for the account of the agent.' }],
  [13, { code: 'DISK_FULL', hint: 'Free some space on this disk.' }],
  [14, { code: 'PATH_NOT_FOUND', hint: 'Check that "database.dataSource" names a file in a folder that exists.' }],
]);

const UNKNOWN: Meaning = { code: 'FILE_FAILED', hint: 'Read the SQLite error, and check the health of the disk.' };

/** Turns what SQLite said into a catalogue error. `action` completes "Cannot …". */
export function databaseError(cause: unknown, action: string): OperatorError {
  if (cause instanceof OperatorError) return cause;
  const result = resultOf(cause);
  const { code, hint } = MEANINGS.get(result ?? 0) ?? UNKNOWN;
  const said = result === undefined ? systemCodeOf(cause) : `SQLite result ${result}`;
  return new OperatorError(code, `Cannot ${action} (${said})`, { hint, cause });
}

/** Whether the file is damaged or no database at all: then no later try can succeed. */
export function isDamaged(cause: unknown): boolean {
  const result = resultOf(cause);
  return result === CORRUPT || result === NOT_A_DATABASE;
}

function resultOf(cause: unknown): number | undefined {
  if (!(cause instanceof Error) || !('errcode' in cause) || typeof cause.errcode !== 'number') return undefined;
  // The upper bytes refine the primary result.
  return cause.errcode & 0xff;
}
