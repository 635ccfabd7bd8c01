import { dirname } from 'node:path';
import { type StepContext } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { missingFolders, pathExists } from '@fenestra/platform';
import { createPrivate } from '../folders/private-folders.ts';
import { defineStep } from '../define-step.ts';
import type { StepPorts } from '@fenestra/session';
import { unpackTree } from '@fenestra/releases';

/**
 * Puts a part of an archive in the place of a folder. It grows beside its place and comes into it whole; what was there
 * is kept beside it, as `replacedFolder` says, for the rollback.
 */
export const unpackArchive = defineStep({
  kind: 'unpack-archive',
  data: z.object({
    /** A gzipped tar archive that is proved already. */
    archive: z.string(),
    /** The folder of the archive whose content is wanted: `bin`. */
    part: z.string(),
    to: z.string(),
  }),
  before: z.object({ hadFolder: z.boolean() }),
  describe: ({ archive, part, to }) => `Unpack "${part}" of "${archive}" to "${to}"`,
  prepare: async ({ to }) => ({ hadFolder: await pathExists(to) }),
  async apply({ archive, part, to }, { hadFolder }, { ports }, signal) {
    const [growing, replaced] = [growingFolder(to), replacedFolder(to)];
    await ports.files.removeTree(growing, dirname(to), signal);
    await createPrivate(await missingFolders(growing), ports);
    await unpackTree({ archive, part, to: growing }, signal);
    // After a crash in here what is in place may be the new folder already, which must not pass for the old one.
    if (hadFolder && !(await pathExists(replaced))) await ports.files.move(to, replaced);
    await ports.files.removeTree(to, dirname(to), signal);
    await ports.files.move(growing, to);
  },
  async revert({ to }, { hadFolder }, context, signal) {
    const replaced = replacedFolder(to);
    await removeBeside(to, growingFolder(to), context, signal);
    if (!hadFolder) return removeBeside(to, to, context, signal);
    if (!(await pathExists(replaced))) return;
    await removeBeside(to, to, context, signal);
    await context.ports.files.move(replaced, to);
  },
});

/** Where the old folder is kept until the plan is through. */
export function replacedFolder(to: string): string {
  return `${to}.replaced`;
}

function growingFolder(to: string): string {
  return `${to}.growing`;
}

async function removeBeside(
  to: string,
  path: string,
  { ports }: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<void> {
  await ports.files.removeTree(path, dirname(to), signal);
}
