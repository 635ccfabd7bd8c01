import { defineStep, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { StepPorts } from '../ports.ts';
import { putDatabaseBack } from './put-back.ts';

const RestoreDatabase = z.object({ kind: z.literal('restore-database'), copy: z.string(), database: z.string() });
export type RestoreDatabase = z.infer<typeof RestoreDatabase>;

/**
 * Gives an older version back the database it can read. The way back is the snapshot that a step before it has taken
 * of what was there.
 */
export const restoreDatabase: StepHandler<StepPorts> = defineStep({
  kind: 'restore-database',
  step: RestoreDatabase,
  before: z.null(),
  describe: ({ copy }) => `Put the database of "${copy}" back if the older version needs it`,
  prepare: async () => null,
  apply: async (step, _before, { ports }, signal) => putDatabaseBack(step, ports, signal),
  revert: async () => {},
});
