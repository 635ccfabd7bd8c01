import type { FileStore } from '@fenestra/platform';
import { OperatorError } from '@fenestra/kernel';
import { chmod } from 'node:fs/promises';

/** What tells two layouts of a database apart. */
export interface DatabaseShape {
  readonly user: number;
  readonly schema: number;
}

/** Copies a database in one consistent state, whether its agent runs or not. */
export async function copyDatabase(from: string, to: string, files: FileStore): Promise<void> {
  const { DatabaseSync, backup } = sqlite();
  const partial = `${to}.partial`;
  // Made private before there is anything in it.
  await files.replace(partial, '');
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, partial);
  } catch (cause) {
    throw new OperatorError('FILE_FAILED', `Cannot copy the database "${from}"`, {
      hint: 'Look at the cause below and at the health of the disk.',
      cause,
    });
  } finally {
    source.close();
  }
  makeSelfContained(partial);
  await chmod(partial, 0o600);
  await files.syncFile(partial);
  await files.move(partial, to);
}

/** Reads how a database is laid out; `undefined` if it is none, or damaged. */
export async function databaseShape(path: string): Promise<DatabaseShape | undefined> {
  const { DatabaseSync } = sqlite();
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    return { user: pragma(database, 'user_version'), schema: pragma(database, 'schema_version') };
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

function pragma(database: import('node:sqlite').DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
