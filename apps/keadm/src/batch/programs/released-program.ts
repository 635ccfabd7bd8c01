import { join } from 'node:path';
import { OperatorError } from '@fenestra/kernel';
import { fetchAgent } from '@fenestra/steps';
import { releaseSecrets, resolveAgentSource, type AgentSource, fetchChecked, unpackProgram } from '@fenestra/releases';
import type { ProgramSource } from '@fenestra/fleet';
import { pathExists } from '@fenestra/platform';
import {
  describedProgram,
  scratchFile,
  stepPorts,
  type ProgramTools,
  type FoundProgram,
  type ProgramTarget,
  keadmFile,
  releaseArch,
} from './program-target.ts';

/** One from a release, in a folder or at an address: proved by the release's digests, and by its signature if keys are trusted. */
export async function releasedProgram(
  from: string,
  target: ProgramTarget,
  { version }: { readonly version: string | undefined },
  tools: ProgramTools,
): Promise<FoundProgram> {
  const { executable, version: own, trustKeys, signal } = tools.environment;
  const request = { from, version, target, trustKeys };
  const source = await resolveAgentSource(request, { executable, version: own, variables: process.env }, signal);
  if (source.kind === 'upstream') throw notOurs(source);
  const to = scratchFile(tools, target);
  await fetchTo(to, source, from, tools);
  return describedProgram(to, target, source.version);
}

/** What runs on the nodes has to understand this program, which only its own kind does. */
function notOurs({ origin }: AgentSource): OperatorError {
  return new OperatorError('RELEASE_INVALID', `Cannot send what is at "${origin}": it is a KubeEdge release`, {
    hint: 'Name a release of this program, or leave "keadm.download" out: then this executable is sent.',
  });
}

/** The same step that an upgrade fetches its agent with: it takes up what was cut off, and checks what it got. */
async function fetchTo(to: string, source: AgentSource, from: string, tools: ProgramTools): Promise<void> {
  const context = { ports: await stepPorts(tools, releaseSecrets(from)), progress: () => {}, say: () => {} };
  const step = fetchAgent({ source, to, downloads: `${to}-downloads` });
  await fetchAgent.handler.apply(step, { digest: null }, context, tools.environment.signal);
}

/** A packed executable: `<folder>/amd64/keadm-v1.0.0-linux-amd64.tar.gz`. */
export async function archivedProgram(
  target: ProgramTarget,
  source: Extract<ProgramSource, { kind: 'archives' }>,
  tools: ProgramTools,
): Promise<FoundProgram | undefined> {
  const archive = join(source.folder, releaseArch(target), archiveName(target, source.version));
  if (!source.arches.includes(releaseArch(target)) || !(await pathExists(archive))) return undefined;
  return unpacked(archive, target, source.version, tools);
}

/** The same at an address, with its checksum file beside it: `<url>/keadm-v1.0.0-linux-amd64.tar.gz`. */
export async function downloadedProgram(
  target: ProgramTarget,
  source: Extract<ProgramSource, { kind: 'download' }>,
  tools: ProgramTools,
): Promise<FoundProgram | undefined> {
  if (!source.arches.includes(releaseArch(target))) return undefined;
  const url = new URL(`${source.url}/${archiveName(target, source.version)}`);
  // By plain HTTP only a signed release may come.
  if (url.protocol !== 'https:') return undefined;
  const downloads = `${scratchFile(tools, target)}-downloads`;
  const fetch = { url, downloads, variables: process.env };
  const archive = await fetchChecked(fetch, await stepPorts(tools, new Map()), tools.environment.signal);
  return archive === undefined ? undefined : unpacked(archive, target, source.version, tools);
}

async function unpacked(
  archive: string,
  target: ProgramTarget,
  version: string,
  tools: ProgramTools,
): Promise<FoundProgram> {
  const to = scratchFile(tools, target);
  await unpackProgram(archive, keadmFile(target), to, tools.environment.signal);
  return describedProgram(to, target, version);
}

function archiveName(target: ProgramTarget, version: string): string {
  return `keadm-${version}-${target.os}-${releaseArch(target)}.tar.gz`;
}
