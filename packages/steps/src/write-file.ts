import * as z from 'zod/mini';
import { defineStep } from './define-step.ts';
import { BeforeText, lookAt, putBack, putInPlace } from './replaced-text.ts';

/** Puts a text file in place. The content is journaled, so it must not be secret: `write-secret` is for that. */
export const writeFile = defineStep({
  kind: 'write-file',
  data: z.object({ path: z.string(), content: z.string() }),
  before: BeforeText,
  describe: ({ path }) => `Write "${path}"`,
  prepare: async ({ path }) => lookAt(path),
  apply: async (step, before, { ports }, signal) => putInPlace(step, before, ports, signal),
  revert: async ({ path }, before, { ports }, signal) => putBack(path, before, ports, signal),
});
