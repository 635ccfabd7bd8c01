import { dirname } from 'node:path';
import { defineStep, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { readTextIfAny } from './existing-path.ts';
import type { StepPorts } from './ports.ts';

const WriteFile = z.object({ kind: z.literal('write-file'), path: z.string(), content: z.string() });
export type WriteFile = z.infer<typeof WriteFile>;

/** Puts a text file in place. The content is journaled, so it must not be secret. */
export const writeFile: StepHandler<StepPorts> = defineStep({
  kind: 'write-file',
  step: WriteFile,
  before: z.object({ content: z.nullable(z.string()) }),
  describe: ({ path }) => `Write "${path}"`,
  prepare: async ({ path }) => ({ content: await readTextIfAny(path) }),
  apply: async ({ path, content }, _before, { ports }) => ports.files.replace(path, content),
  async revert({ path }, before, { ports }, signal) {
    if (before.content === null) await ports.files.removeTree(path, dirname(path), signal);
    else await ports.files.replace(path, before.content);
  },
});
