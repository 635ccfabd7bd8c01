import { join } from 'node:path';
import type { ProgramSource } from '@fenestra/fleet';
import { fetchChecked, unpackProgram } from '@fenestra/releases';
import { pathExists } from '@fenestra/platform';
import { describedProgram } from './described-program.ts';
import { scratchFile, stepPorts, type ProgramTools } from './program-tools.ts';
import { keadmFile, releaseArch, type FoundProgram, type ProgramTarget } from './program-target.ts';

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
