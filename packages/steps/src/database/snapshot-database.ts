import { dirname } from 'node:path';
import { defineStep, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { pathExists } from '../existing-path.ts';
import type { StepPorts } from '../ports.ts';
import { copyDatabase } from './copy-database.ts';
import { putDatabaseBack, removeDatabase } from './put-back.ts';

const SnapshotDatabase = z.object({
  kind: z.literal('snapshot-database'),
  database: z.string(),
  to: z.string(),
});
export type SnapshotDatabase = z.infer<typeof SnapshotDatabase>;

/** Keeps the database as the old version left it: a new version may change its layout, which the old one can't read. */
export const snapshotDatabase: StepHandler<StepPorts> = defineStep({
  kind: 'snapshot-database',
  step: SnapshotDatabase,
  before: z.object({ existed: z.boolean() }),
  describe: ({ database }) => `Keep a copy of the database "${database}"`,
  prepare: async ({ database }) => ({ existed: await pathExists(database) }),
  async apply({ database, to }, { existed }, { ports }) {
    if (existed) await copyDatabase(database, to, ports.files);
  },
  async revert({ database, to }, { existed }, { ports }, signal) {
    if (!existed) await removeDatabase(database, ports, signal);
    if (await pathExists(to)) await putDatabaseBack({ copy: to, database }, ports, signal);
    for (const path of [to, `${to}.partial`]) await ports.files.removeTree(path, dirname(to), signal);
  },
});
