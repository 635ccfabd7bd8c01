import { stat } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { RELEASE_FILE } from '@fenestra/releases';
import type { Program, ProgramSource, RemoteWorkerOptions } from '@fenestra/fleet';
import { OperatorError } from '@fenestra/kernel';
import { digestOf, pathExists } from '@fenestra/platform';
import { executableVersion } from '@fenestra/releases/executable-version';
import {
  describedProgram,
  type ProgramTools,
  keadmFile,
  targetName,
  type FoundProgram,
  type ProgramTarget,
  releaseArch,
} from './program-target.ts';

/** The executables for all kinds of machine. */
export type ProgramBook = Pick<RemoteWorkerOptions, 'programs' | 'carried'>;

/**
 * Finds the executable for each kind of machine when the first one of that kind turns up, and remembers it. It is read
 * for its digest once, and not at all if no machine has to be changed. Where there is none, only the nodes of that kind
 * fail.
 */
export function programBook(
  source: ProgramSource,
  given: ReadonlyMap<string, string>,
  tools: ProgramTools,
): ProgramBook {
  const find = onceForEach(async (target) => findProgram(target, source, given.get(targetName(target)), tools));
  const read = onceForEach(async (target) => readWhole(await find(target)));
  return {
    carried: async (os, arch) => (await find({ os, arch })).version,
    programs: async (os, arch) => read({ os, arch }),
  };
}

/** The file may have been replaced since it was found; its size has to be that of what the digest was made of. */
async function readWhole(program: FoundProgram): Promise<Program> {
  const sha256 = await digestOf(program.path);
  return { ...program, size: (await stat(program.path)).size, sha256 };
}

/** Does something once for each kind of machine, for all callers. */
function onceForEach<T>(work: (target: ProgramTarget) => Promise<T>): typeof work {
  const done = new Map<string, Promise<T>>();
  return async (target) => {
    const name = targetName(target);
    const result = done.get(name) ?? work(target);
    done.set(name, result);
    return result;
  };
}

async function findProgram(
  target: ProgramTarget,
  source: ProgramSource,
  given: string | undefined,
  tools: ProgramTools,
): Promise<FoundProgram> {
  if (given !== undefined) return describedProgram(given, target, tools.environment.version);
  const program = await fromSource(target, source, tools).catch((error: unknown) => explain(error, target));
  if (program !== undefined) return program;
  throw noProgram(target, source);
}

async function fromSource(
  target: ProgramTarget,
  source: ProgramSource,
  tools: ProgramTools,
): Promise<FoundProgram | undefined> {
  switch (source.kind) {
    case 'own':
      return ownProgram(target, tools);
    case 'folder':
      return folderProgram(target, source, tools);
    case 'archives':
    case 'download':
      return fromRelease(target, source, tools);
  }
}

/** What reads releases is as much code as all the rest, and most runs need none of it. */
async function fromRelease(
  target: ProgramTarget,
  source: Extract<ProgramSource, { kind: 'archives' | 'download' }>,
  tools: ProgramTools,
): Promise<FoundProgram | undefined> {
  const { archivedProgram, downloadedProgram } = await import('./released-program.ts');
  if (source.kind === 'archives')
    return (await archivedProgram(target, source, tools)) ?? releaseInFolder(target, source, tools);
  const { releasedProgram } = await import('./released-program.ts');
  return (await downloadedProgram(target, source, tools)) ?? releasedProgram(source.url, target, source, tools);
}

/** Whatever is wrong with a release, there is another way. */
function explain(error: unknown, target: ProgramTarget): never {
  if (!(error instanceof OperatorError)) throw error;
  const { code, message, hint, details, cause } = error;
  const otherWay = `Or give an executable with "--program ${targetName(target)}=PATH".`;
  throw new OperatorError(code, message, { hint: `${hint} ${otherWay}`, details, cause });
}

async function releaseInFolder(
  target: ProgramTarget,
  { folder, version }: Extract<ProgramSource, { kind: 'archives' }>,
  tools: ProgramTools,
): Promise<FoundProgram | undefined> {
  const places = [join(folder, RELEASE_FILE), join(folder, version, RELEASE_FILE)];
  if (!(await Promise.all(places.map(pathExists))).includes(true)) return undefined;
  const { releasedProgram } = await import('./released-program.ts');
  return releasedProgram(folder, target, { version }, tools);
}

function noProgram(target: ProgramTarget, source: ProgramSource): OperatorError {
  const name = targetName(target);
  const place = source.kind === 'own' ? '' : ` in "${source.kind === 'download' ? source.url : source.folder}"`;
  return new OperatorError('REMOTE_UNSUPPORTED', `Cannot find an executable for ${name} machines${place}`, {
    hint: `Give one with "--program ${name}=PATH", or put it at "../${name}/${keadmFile(target)}" beside this one's folder.`,
  });
}

/** An unpacked executable: `<folder>/amd64/keadm`, for Windows `<folder>/amd64/keadm.exe`. */
async function folderProgram(
  target: ProgramTarget,
  { folder, arches }: Extract<ProgramSource, { kind: 'folder' }>,
  tools: ProgramTools,
): Promise<FoundProgram | undefined> {
  const arch = releaseArch(target);
  const path = join(folder, arch, keadmFile(target));
  if (!arches.includes(arch) || !(await pathExists(path))) return undefined;
  return describedProgram(path, target, await versionOf(path, target, tools));
}

/** A program for this machine says itself which version it is; of one for another machine no one can ask it. */
async function versionOf(path: string, target: ProgramTarget, { environment }: ProgramTools): Promise<string> {
  const { host } = await environment.loadPlatform(undefined);
  const { os, arch } = await host.facts();
  if (os !== target.os || arch !== target.arch) return environment.version;
  return (await executableVersion(path, environment.signal)).version;
}

/** What a program that was started from its sources calls its version: then the file it runs from is not a keadm. */
const FROM_SOURCES = /-source$/;

/** This very executable where it fits, else one for the other kind of machine from the same build beside it. */
async function ownProgram(target: ProgramTarget, tools: ProgramTools): Promise<FoundProgram | undefined> {
  const { executable, version } = tools.environment;
  if (FROM_SOURCES.test(version)) return undefined;
  const own = await describedProgram(executable, target, version).catch(() => undefined);
  if (own !== undefined) return own;
  const folder = dirname(executable);
  if (await pathExists(join(folder, RELEASE_FILE))) {
    const { releasedProgram } = await import('./released-program.ts');
    return releasedProgram(folder, target, { version: undefined }, tools);
  }
  const sibling = join(folder, '..', targetName(target), keadmFile(target));
  return (await pathExists(sibling)) ? describedProgram(sibling, target, version) : undefined;
}
