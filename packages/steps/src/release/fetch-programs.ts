import { basename, dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { digestIfAny } from '@fenestra/platform';
import {
  AgentSource,
  fetchArchive,
  fetchFile,
  stagedAgent,
  wrongVersion,
  hasDigest,
  ProgramSource,
  programVersion,
} from '@fenestra/releases';
import { defineStep } from '../define-step.ts';
import { BeforeFile, keepExecutable, lookAt, putExecutableBack } from '../replaced-files.ts';

/**
 * Puts an agent, proved to be the promised one, at `to`; what was there is kept beside it, as `previousVersion` says,
 * for the rollback. What comes over the network comes by way of the private folder `downloads`, where a broken transfer
 * waits to be resumed again, even by a later run.
 */
export const fetchAgent = defineStep({
  kind: 'fetch-agent',
  data: z.object({
    source: AgentSource,
    to: z.string(),
    downloads: z.string(),
  }),
  before: BeforeFile,
  describe: ({ source, to }) => `Fetch ${source.version} from "${source.origin}" to "${to}"`,
  prepare: async ({ to }) => lookAt(to),
  async apply({ source, to, downloads }, before, context, signal) {
    if (source.executableSha256 !== undefined && (await digestIfAny(to)) === source.executableSha256) return;
    await keepExecutable(to, before, context.ports.files, signal);
    const fetch = source.form === 'file' ? fetchFile : fetchArchive;
    await fetch({ source, to, downloads, variables: process.env }, context, signal);
  },
  revert: async ({ to }, before, { ports }, signal) =>
    putExecutableBack({ path: to, staged: [stagedAgent(to)] }, before, ports.files, signal),
});

/**
 * Puts a program of Kubernetes, proved by its digest and asked for its version, at `to`; what was there is kept beside
 * it, as `previousVersion` says, for the rollback.
 */
export const fetchProgram = defineStep({
  kind: 'fetch-program',
  data: z.object({
    source: ProgramSource,
    to: z.string(),
    downloads: z.string(),
  }),
  before: BeforeFile,
  describe: ({ source, to }) => `Fetch ${source.name} ${source.version} from "${source.origin}" to "${to}"`,
  prepare: async ({ to }) => lookAt(to),
  async apply(step, before, context, signal) {
    const { source, to } = step;
    if (await hasDigest(to, source.digest)) return;
    await keepExecutable(to, before, context.ports.files, signal);
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
  async revert({ to }, before, { ports }, signal) {
    const arrived = arrivalOf(to);
    await putExecutableBack({ path: to, staged: [arrived, stagedAgent(arrived)] }, before, ports.files, signal);
  },
});

/** Where a program waits until it has said which version it is; it keeps its ending, by which Windows knows a program. */
function arrivalOf(to: string): string {
  return join(dirname(to), `arrived-${basename(to)}`);
}
