import { dirname } from 'node:path';
import type { StepPorts } from '@fenestra/session';
import { databaseShape } from './copy-database.ts';

/** The endings of what SQLite keeps beside a database. */
export const DATABASE_COMPANIONS: readonly string[] = ['-wal', '-shm', '-journal'];

/**
 * Puts a copy in the place of a database that nobody has open, if the two are laid out differently. Otherwise the
 * version the copy is from can read what is there, and what was learnt meanwhile is kept.
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

/** Deletes a database that nobody has open, with what belongs to it; the file itself first, for without it the rest is nothing. */
export async function removeDatabase(
  database: string,
  { files }: Pick<StepPorts, 'files'>,
  signal: AbortSignal,
): Promise<void> {
  for (const ending of ['', ...DATABASE_COMPANIONS])
    await files.removeTree(`${database}${ending}`, dirname(database), signal);
}
