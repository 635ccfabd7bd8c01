import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileStore } from '@fenestra/platform';
import { OperatorError } from '@fenestra/kernel';
import type { StepPorts } from '@fenestra/session';

/** Copies a database in one consistent state, whether its agent runs or not. */
export async function copyDatabase(from: string, to: string, files: FileStore): Promise<void> {
  const { DatabaseSync, backup } = sqlite();
  const partial = `${to}.partial`;
  // Made private before there is anything in it.
  await files.replace(partial, '');
  try {
    using source = new DatabaseSync(from, { readOnly: true });
    await backup(source, partial);
    makeSelfContained(partial);
  } catch (cause) {
    throw notCopied(from, cause);
  }
  await chmod(partial, 0o600);
  await files.syncFile(partial);
  await files.move(partial, to);
}

/** SQLite's own number for a disk without room. */
const SQLITE_FULL = 13;

function notCopied(from: string, cause: unknown): OperatorError {
  const isFull = cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_FULL;
  return new OperatorError(isFull ? 'DISK_FULL' : 'FILE_FAILED', `Cannot copy the database "${from}"`, {
    hint: isFull
      ? 'Free some space on this disk, then run the command again.'
      : 'Read the SQLite error, and check the health of the disk.',
    cause,
  });
}

/** How a database is laid out: two with the same shape can be read by the same version. `undefined` if it is none. */
export async function databaseShape(path: string): Promise<string | undefined> {
  const { DatabaseSync } = sqlite();
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    const version = database.prepare('PRAGMA user_version').get();
    const tables = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
    return JSON.stringify([version, tables]);
  } catch {
    return undefined;
  }
}

/** Without a log beside it, so that the one file is all there is to keep, and reading it leaves nothing behind. */
function makeSelfContained(path: string): void {
  const { DatabaseSync } = sqlite();
  using database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = DELETE');
}

/** Only few commands need it, so it is not loaded with all of them. */
function sqlite(): typeof import('node:sqlite') {
  return process.getBuiltinModule('node:sqlite');
}

/** The endings of what SQLite keeps beside a database. */
export const DATABASE_COMPANIONS: readonly string[] = ['-wal', '-shm', '-journal'];

/**
 * Puts a copy in the place of a database that no one has open, if the two are laid out differently. Otherwise the
 * version the copy is from can read what is there, and what was learnt in the meantime is kept.
 */
export async function putDatabaseBack(
  { copy, database }: { readonly copy: string; readonly database: string },
  { files }: StepPorts,
  signal: AbortSignal,
): Promise<void> {
  const [now, then] = [await databaseShape(database), await databaseShape(copy)];
  if (now !== undefined && now === then) return;
  await removeDatabase(database, { files }, signal);
  await files.copy(copy, database, {}, signal);
}

/** Deletes a database that no one has open, with what belongs to it; the file itself first, for without it the rest is nothing. */
export async function removeDatabase(
  database: string,
  { files }: Pick<StepPorts, 'files'>,
  signal: AbortSignal,
): Promise<void> {
  for (const ending of ['', ...DATABASE_COMPANIONS])
    await files.removeTree(`${database}${ending}`, dirname(database), signal);
}
