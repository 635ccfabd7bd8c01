import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { pathExists, digestIfAny } from '@fenestra/platform';
import { defineStep } from '../define-step.ts';
import { digestOfText } from '../write-file.ts';
import { copyDatabase, databaseShape, putDatabaseBack, removeDatabase } from './copy-database.ts';

const OptionalDigest = z.exactOptional(z.nullable(z.string()));
/** `earlierCopy`: what an earlier run has left at the copy's place. Journals of older versions lack the digests. */
const Before = z.object({ existed: z.boolean(), shape: OptionalDigest, earlierCopy: OptionalDigest });

/** Keeps the database as the old version left it: a new version may change its layout, which the old one can't read. */
export const snapshotDatabase = defineStep({
  kind: 'snapshot-database',
  data: z.object({
    database: z.string(),
    to: z.string(),
  }),
  before: Before,
  describe: ({ database }) => `Keep a copy of the database "${database}"`,
  prepare: async ({ database, to }) => ({
    existed: await pathExists(database),
    shape: await shapeDigest(database),
    earlierCopy: await digestIfAny(to),
  }),
  async apply({ database, to }, { existed }, { ports }) {
    if (existed) await copyDatabase(database, to, ports.files);
  },
  async revert({ database, to }, { existed, shape, earlierCopy }, { ports }, signal) {
    await ports.files.removeTree(`${to}.partial`, dirname(to), signal);
    if (!existed) await removeDatabase(database, ports, signal);
    const copy = await digestIfAny(to);
    if (copy === null) return;
    const isEarlier = copy === earlierCopy;
    if (!isEarlier || (await shapeDigest(database)) !== shape)
      await putDatabaseBack({ copy: to, database }, ports, signal);
    if (!isEarlier) await ports.files.removeTree(to, dirname(to), signal);
  },
});

async function shapeDigest(database: string): Promise<string | null> {
  const shape = await databaseShape(database);
  return shape === undefined ? null : digestOfText(shape);
}

/**
 * Gives an older version back the database it can read. The rollback is the snapshot that a step before it has taken
 * of what was there.
 */
export const restoreDatabase = defineStep({
  kind: 'restore-database',
  data: z.object({ copy: z.string(), database: z.string() }),
  describe: ({ copy }) => `Put the database of "${copy}" back if the older version needs it`,
  apply: async (step, _before, { ports }, signal) => putDatabaseBack(step, ports, signal),
  revert: async () => {},
});
