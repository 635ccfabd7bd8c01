import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';
import { digestIfAny } from '@fenestra/platform';
import { BeforeExecutable, keepExecutable, lookAtExecutable, putExecutableBack } from '../replaced-executable.ts';
import { AgentSource, fetchArchive, fetchFile, stagedAgent } from '@fenestra/releases';

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
  before: BeforeExecutable,
  describe: ({ source, to }) => `Fetch ${source.version} from "${source.origin}" to "${to}"`,
  prepare: async ({ to }) => lookAtExecutable(to),
  async apply({ source, to, downloads }, before, context, signal) {
    if (source.executableSha256 !== undefined && (await digestIfAny(to)) === source.executableSha256) return;
    await keepExecutable(to, before, context.ports.files, signal);
    const fetch = source.form === 'file' ? fetchFile : fetchArchive;
    await fetch({ source, to, downloads, variables: process.env }, context, signal);
  },
  revert: async ({ to }, before, { ports }, signal) =>
    putExecutableBack({ path: to, staged: [stagedAgent(to)] }, before, ports.files, signal),
});
