import type { FileStore } from '@fenestra/platform';
import { OperatorError } from '@fenestra/kernel';
import { chmod } from 'node:fs/promises';

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
