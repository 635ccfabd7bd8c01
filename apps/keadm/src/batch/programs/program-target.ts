import { join } from 'node:path';
import { open, stat } from 'node:fs/promises';
import type { NodeSurvey, Program, ProgramArch } from '@fenestra/fleet';
import { OperatorError, fileError } from '@fenestra/kernel';
import type { Secrets, StepPorts } from '@fenestra/session';
import { versionTag } from '@fenestra/contracts';
import { executableTarget } from '@fenestra/releases/executable-target';
import type { KeadmEnvironment } from '../../platform.ts';

/** A kind of machine that there can be an executable for. */
export type ProgramTarget = Pick<NodeSurvey, 'os' | 'arch'>;

/** An executable whose digest no one has needed yet. */
export type FoundProgram = Omit<Program, 'sha256'>;

const TARGETS: readonly ProgramTarget[] = [
  { os: 'linux', arch: 'x64' },
  { os: 'linux', arch: 'arm64' },
  { os: 'windows', arch: 'x64' },
  { os: 'windows', arch: 'arm64' },
];

const RELEASE_ARCHES: Readonly<Record<ProgramTarget['arch'], ProgramArch>> = { x64: 'amd64', arm64: 'arm64' };

/** What a kind of machine is called: `linux-x64`. */
export function targetName({ os, arch }: ProgramTarget): string {
  return `${os}-${arch}`;
}

/** The processor as the files of releases are named. */
export function releaseArch({ arch }: ProgramTarget): ProgramArch {
  return RELEASE_ARCHES[arch];
}

/** What keadm's file is called there. */
export function keadmFile({ os }: ProgramTarget): string {
  return os === 'windows' ? 'keadm.exe' : 'keadm';
}

/** Reads `--program windows-x64=PATH`, given as often up to date; the last one for a kind counts. */
export function givenPrograms(flags: readonly string[]): ReadonlyMap<string, string> {
  return new Map(flags.map(parseProgram));
}

function parseProgram(flag: string): readonly [string, string] {
  const [, name = '', path] = /^([^=]+)=(.+)$/.exec(flag) ?? [];
  const known = TARGETS.map(targetName);
  if (path !== undefined && known.includes(name)) return [name, path];
  throw new OperatorError('USAGE', `Cannot use "${flag}" as a program`, {
    hint: `Give it like "--program windows-x64=PATH"; there are ${known.join(', ')}.`,
  });
}

/** What finding executables needs. */
export interface ProgramTools {
  readonly environment: Pick<KeadmEnvironment, 'executable' | 'version' | 'trustKeys' | 'signal' | 'loadPlatform'>;
  /** A private folder for what has to be fetched or unpacked. */
  readonly scratch: string;
}

/** Where the executable for a kind of machine goes that has to be fetched or unpacked. */
export function scratchFile({ scratch }: ProgramTools, target: ProgramTarget): string {
  return join(scratch, `${targetName(target)}-${keadmFile(target)}`);
}

/** This machine, as the parts that fetch and check releases see it. */
export async function stepPorts({ environment }: ProgramTools, secrets: Secrets): Promise<StepPorts> {
  const { host, files, access, services } = await environment.loadPlatform(undefined);
  return { host, files, access, services, secrets };
}

const HEADER_BYTES = 4096;

/** A file as the executable for this kind of machine; refused if it is none. */
export async function describedProgram(path: string, target: ProgramTarget, version: string): Promise<FoundProgram> {
  const found = executableTarget(await headOf(path));
  if (found?.os !== target.os || found.arch !== target.arch) throw wrongKind(path, target, found);
  return { path, version: versionTag(version), size: (await stat(path)).size };
}

async function headOf(path: string): Promise<Buffer> {
  try {
    await using file = await open(path, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } catch (cause) {
    throw fileError(cause, `read "${path}"`);
  }
}

function wrongKind(path: string, target: ProgramTarget, found: ReturnType<typeof executableTarget>): OperatorError {
  const is = found === undefined ? 'no program for either system' : `for ${found.os}-${found.arch}`;
  return new OperatorError('RELEASE_INVALID', `Cannot send "${path}" to ${targetName(target)} machines: it is ${is}`, {
    hint: `Give the right one with "--program ${targetName(target)}=PATH".`,
  });
}
