import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { defineStep, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { digestIfAny, previousVersion } from './previous-version.ts';
import type { StepPorts } from './ports.ts';

const PERMISSION_BITS = 0o7777;

const WriteFile = z.object({ kind: z.literal('write-file'), path: z.string(), content: z.string() });
export type WriteFile = z.infer<typeof WriteFile>;

/**
 * Puts a text file in place. The content is journaled, so it must not be secret; what was there before may be, and is
 * therefore kept beside it, as `previousVersion` says, for the way back.
 */
export const writeFile: StepHandler<StepPorts> = defineStep({
  kind: 'write-file',
  step: WriteFile,
  before: z.object({ digest: z.nullable(z.string()) }),
  describe: ({ path }) => `Write "${path}"`,
  prepare: async ({ path }) => ({ digest: await digestIfAny(path) }),
  async apply({ path, content }, before, { ports }, signal) {
    // After a crash in here the file may be the new one already, which must not pass for the previous one.
    if (before.digest !== null && (await digestIfAny(path)) === before.digest) {
      const mode = (await stat(path)).mode & PERMISSION_BITS;
      await ports.files.copy(path, previousVersion(path, before.digest), { mode }, signal);
    }
    await ports.files.replace(path, content);
  },
  async revert({ path }, before, { ports }, signal) {
    const folder = dirname(path);
    if (before.digest === null) return ports.files.removeTree(path, folder, signal);
    const previous = previousVersion(path, before.digest);
    if ((await digestIfAny(path)) !== before.digest) await ports.files.move(previous, path);
    await ports.files.removeTree(previous, folder, signal);
  },
});
