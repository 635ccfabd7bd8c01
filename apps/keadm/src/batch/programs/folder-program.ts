import { join } from 'node:path';
import type { ProgramSource } from '@fenestra/fleet';
import { executableVersion } from '@fenestra/releases/executable-version';
import { pathExists } from '@fenestra/platform';
import { describedProgram } from './described-program.ts';
import type { ProgramTools } from './program-tools.ts';
import { keadmFile, releaseArch, type FoundProgram, type ProgramTarget } from './program-target.ts';

/** An unpacked executable: `<folder>/amd64/keadm`, for Windows `<folder>/amd64/keadm.exe`. */
export async function folderProgram(
  target: ProgramTarget,
  { folder, arches }: Extract<ProgramSource, { kind: 'folder' }>,
  tools: ProgramTools,
): Promise<FoundProgram | undefined> {
  const arch = releaseArch(target);
  const path = join(folder, arch, keadmFile(target));
  if (!arches.includes(arch) || !(await pathExists(path))) return undefined;
  return describedProgram(path, target, await versionOf(path, target, tools));
}

/** A program for this machine says itself which version it is; of one for another machine nobody can ask it. */
async function versionOf(path: string, target: ProgramTarget, { environment }: ProgramTools): Promise<string> {
  const { host } = await environment.loadPlatform(undefined);
  const { os, arch } = await host.facts();
  if (os !== target.os || arch !== target.arch) return environment.version;
  return (await executableVersion(path, environment.signal)).version;
}
