import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';
import { putDatabaseBack } from './put-back.ts';

/**
 * Gives an older version back the database it can read. The way back is the snapshot that a step before it has taken
 * of what was there.
 */
export const restoreDatabase = defineStep({
  kind: 'restore-database',
  data: z.object({ copy: z.string(), database: z.string() }),
  describe: ({ copy }) => `Put the database of "${copy}" back if the older version needs it`,
  apply: async (step, _before, { ports }, signal) => putDatabaseBack(step, ports, signal),
  revert: async () => {},
});
