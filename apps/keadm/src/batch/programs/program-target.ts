import type { NodeSurvey, Program, ProgramArch } from '@fenestra/fleet';
import { OperatorError } from '@fenestra/kernel';

/** A kind of machine that there can be an executable for. */
export type ProgramTarget = Pick<NodeSurvey, 'os' | 'arch'>;

/** An executable whose digest nobody has needed yet. */
export type FoundProgram = Omit<Program, 'sha256'>;

/** All of them. */
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

/** Reads `--program windows-x64=PATH`, given as often as wanted; the last one for a kind counts. */
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
