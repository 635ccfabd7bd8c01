import { type ErrorCode, OperatorError, systemCodeOf } from '@fenestra/kernel';

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
