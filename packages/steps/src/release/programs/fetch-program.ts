import { basename, dirname, join } from 'node:path';
import { type StepContext } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { defineStep, type StepPorts } from '../../ports.ts';
import { digestIfAny, previousVersion } from '../../previous-version.ts';
import { fetchFile } from '../fetching/fetch-file.ts';
import { EXECUTABLE_MODE, stagedAgent } from '../fetching/place-agent.ts';
import { wrongVersion } from '../release-errors.ts';
import { hasDigest } from './file-digest.ts';
import { ProgramSource } from './program-source.ts';
import { programVersion } from './program-version.ts';

/**
 * Puts a program of Kubernetes, proved by its digest and asked for its version, at `to`; what was there is kept beside
 * it, as `previousVersion` says, for the way back.
 */
export const fetchProgram = defineStep({
  kind: 'fetch-program',
  data: z.object({
    source: ProgramSource,
    to: z.string(),
    downloads: z.string(),
  }),
  before: z.object({ digest: z.nullable(z.string()) }),
  describe: ({ source, to }) => `Fetch ${source.name} ${source.version} from "${source.origin}" to "${to}"`,
  prepare: async ({ to }) => ({ digest: await digestIfAny(to) }),
  async apply(step, before, context, signal) {
    const { source, to } = step;
    if (await hasDigest(to, source.digest)) return;
    // After a crash in here `to` may be the new program already, which must not pass for the previous one.
    if (before.digest !== null && (await digestIfAny(to)) === before.digest)
      await keepPrevious(to, before.digest, context, signal);
    const arrived = arrivalOf(to);
    await fetchFile(
      { ...step, source: { ...source, signed: false }, to: arrived, variables: process.env },
      context,
      signal,
    );
    const says = await programVersion(source.name, arrived, signal);
    if (says !== source.version) throw wrongVersion(source.location, source.version, [says]);
    await context.ports.files.replaceInUse(arrived, to);
  },
  async revert({ to }, { digest }, { ports }, signal) {
    const remove = async (path: string): Promise<void> => ports.files.removeTree(path, dirname(to), signal);
    const arrived = arrivalOf(to);
    for (const path of [arrived, stagedAgent(arrived), partial(stagedAgent(arrived))]) await remove(path);
    if (digest === null) return remove(to);
    const previous = previousVersion(to, digest);
    if ((await digestIfAny(to)) !== digest) await ports.files.replaceInUse(previous, to);
    for (const path of [previous, partial(previous)]) await remove(path);
  },
});

/** Where a program waits until it has said which version it is; it keeps its ending, by which Windows knows a program. */
function arrivalOf(to: string): string {
  return join(dirname(to), `arrived-${basename(to)}`);
}

async function keepPrevious(
  to: string,
  digest: string,
  { ports }: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<void> {
  await ports.files.copy(to, previousVersion(to, digest), { mode: EXECUTABLE_MODE }, signal);
}

/** What a copy that was cut off leaves behind. */
function partial(path: string): string {
  return `${path}.partial`;
}
