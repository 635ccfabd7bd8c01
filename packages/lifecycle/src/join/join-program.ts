import { stat } from 'node:fs/promises';
import { versionTag } from '@fenestra/contracts';
import { digestOf } from '@fenestra/platform';
import type { NodeSession } from '@fenestra/session';
import { releaseSecrets, resolveAgentSource } from '@fenestra/releases';
import type { JoinProgram } from './join-facts.ts';
import type { JoinWishes } from './join-wishes.ts';

/** Finds the agent to install: the one keadm carries, unless another was asked for. Reads only. */
export async function wantedProgram(
  { host }: NodeSession,
  { program, release }: JoinWishes,
  signal: AbortSignal,
): Promise<JoinProgram> {
  const { path, version } = program;
  if (release === undefined) {
    return { from: 'keadm', path, sha256: await digestOf(path), version: versionTag(version) };
  }
  const { os, arch } = await host.facts();
  const environment = { executable: path, version, variables: process.env };
  const source = await resolveAgentSource({ ...release, target: { os, arch } }, environment, signal);
  return { from: 'release', source, version: versionTag(source.version) };
}

/** What a run must know to get the agent, and its journal must not. */
export function programSecrets({ release }: JoinWishes): ReadonlyMap<string, string> {
  return release === undefined ? new Map() : releaseSecrets(release.from);
}

/** How much room the program takes on the disk, about. */
export async function sizeOf(program: JoinProgram): Promise<number> {
  return program.from === 'release' ? program.source.size : (await stat(program.path)).size;
}
