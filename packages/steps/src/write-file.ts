import { defineStep, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { StepPorts } from './ports.ts';
import { BeforeText, lookAt, putBack, putInPlace } from './replaced-text.ts';

const WriteFile = z.object({ kind: z.literal('write-file'), path: z.string(), content: z.string() });
export type WriteFile = z.infer<typeof WriteFile>;

/** Puts a text file in place. The content is journaled, so it must not be secret: `write-secret` is for that. */
export const writeFile: StepHandler<StepPorts> = defineStep({
  kind: 'write-file',
  step: WriteFile,
  before: BeforeText,
  describe: ({ path }) => `Write "${path}"`,
  prepare: async ({ path }) => lookAt(path),
  apply: async (step, before, { ports }, signal) => putInPlace(step, before, ports, signal),
  revert: async ({ path }, before, { ports }, signal) => putBack(path, before, ports, signal),
});
