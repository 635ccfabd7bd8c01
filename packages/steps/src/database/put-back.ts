import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { StepPorts } from '../ports.ts';
import { databaseShape } from './copy-database.ts';

/** What SQLite keeps beside a database. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

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
  if (now !== undefined && isDeepStrictEqual(now, then)) return;
  for (const companion of COMPANIONS) await files.removeTree(`${database}${companion}`, dirname(database), signal);
  await files.copy(copy, database, {}, signal);
}
