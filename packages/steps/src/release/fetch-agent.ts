import { dirname } from 'node:path';
import { type StepContext } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { defineStep, type StepPorts } from '../ports.ts';
import { digestIfAny, previousVersion } from '../previous-version.ts';
import { AgentSource } from './agent-source.ts';
import { fetchArchive } from './fetching/fetch-archive.ts';
import { fetchFile } from './fetching/fetch-file.ts';
import { EXECUTABLE_MODE, stagedAgent } from './fetching/place-agent.ts';

/**
 * Puts an agent, proved to be the promised one, at `to`; what was there is kept beside it, as `previousVersion` says,
 * for the way back. What comes over the network comes by way of the private folder `downloads`, where a broken transfer
 * waits to be taken up again, even by a later run.
 */
export const fetchAgent = defineStep({
  kind: 'fetch-agent',
  data: z.object({
    source: AgentSource,
    to: z.string(),
    downloads: z.string(),
  }),
  before: z.object({ digest: z.nullable(z.string()) }),
  describe: ({ source, to }) => `Fetch ${source.version} from "${source.origin}" to "${to}"`,
  prepare: async ({ to }) => ({ digest: await digestIfAny(to) }),
  async apply({ source, to, downloads }, before, context, signal) {
    const present = await digestIfAny(to);
    if (present !== null && present === source.executableSha256) return;
    // After a crash in here `to` may be the new program already, which must not pass for the previous one.
    if (present !== null && present === before.digest) await keepPrevious(to, present, context, signal);
    const fetch = source.form === 'file' ? fetchFile : fetchArchive;
    await fetch({ source, to, downloads, variables: process.env }, context, signal);
  },
  async revert({ to }, { digest }, { ports }, signal) {
    const remove = async (path: string): Promise<void> => ports.files.removeTree(path, dirname(to), signal);
    for (const path of [stagedAgent(to), partial(stagedAgent(to))]) await remove(path);
    if (digest === null) return remove(to);
    const previous = previousVersion(to, digest);
    if ((await digestIfAny(to)) !== digest) await ports.files.replaceInUse(previous, to);
    for (const path of [previous, partial(previous)]) await remove(path);
  },
});

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
