import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import {
  createRunFolder,
  newRunId,
  reopenRunFolder,
  type RunFolder,
  type RunKeeping,
  nextStep,
  runOwner,
  type RunAccount,
  type StoredRun,
} from '@fenestra/fleet';
import type { KeadmEnvironment } from '../platform.ts';

/** Where runs are kept: what `--runs` says, else the folder that the system has for a user's states. */
export function runsFolder({ variables }: Pick<KeadmEnvironment, 'variables'>, asked: string | undefined): string {
  if (asked !== undefined) return resolve(asked);
  const { XDG_STATE_HOME: states, LOCALAPPDATA: local, HOME: home } = variables;
  const folder = [states, local].find((path) => path !== undefined && path !== '');
  return join(folder ?? join(home ?? homedir(), '.local', 'state'), 'fenestra', 'runs');
}

/** What a command is given to find the run in this folder: its name, and where it is if runs are not kept there. */
export function namedRun(environment: Pick<KeadmEnvironment, 'variables'>, folder: string): string {
  const [runs, run] = [dirname(resolve(folder)), basename(folder)];
  if (runs === runsFolder(environment, undefined)) return run;
  return `${run} --runs ${/[^\w/\\.:-]/.test(runs) ? `'${runs}'` : runs}`;
}

/** Makes the folder of a new run. */
export async function newRunFolder(environment: KeadmEnvironment, runs: string, command: string): Promise<RunFolder> {
  const id = newRunId(environment.now(), Math.random);
  return createRunFolder(runs, id, await keepingFor(environment, command));
}

/** Opens the folder of a run that goes on. */
export async function oldRunFolder(environment: KeadmEnvironment, folder: string, command: string): Promise<RunFolder> {
  return reopenRunFolder(folder, await keepingFor(environment, command));
}

async function keepingFor(environment: KeadmEnvironment, command: string): Promise<RunKeeping> {
  const { host, files } = await environment.loadPlatform(undefined);
  return {
    owner: { ...(await host.self()), command: `keadm batch ${command}` },
    isAlive: async (process) => host.isAlive(process),
    syncFolder: async (path) => files.syncFolder(path),
  };
}

const GOES_ON = 'goes on';
const PAUSED = 'paused';

/** How a run ended; or whether someone works on it, or it was cut off. */
export async function standingOfRun(
  { loadPlatform }: Pick<KeadmEnvironment, 'loadPlatform'>,
  { folder, state }: StoredRun,
): Promise<string> {
  const owner = await runOwner(folder);
  const { host } = await loadPlatform(undefined);
  if (owner !== undefined && (await host.isAlive(owner))) return state?.paused === true ? PAUSED : GOES_ON;
  return state?.outcome ?? 'cut off';
}

/** The line with what to do next about a run in this folder, if there is anything: not while someone works on it. */
export function nextLines(
  environment: Pick<KeadmEnvironment, 'variables'>,
  folder: string,
  account: RunAccount,
  standing: string,
): readonly string[] {
  if (standing === GOES_ON) return [];
  // The process that paused it may be gone.
  const next = nextStep({ ...account, paused: standing === PAUSED }, namedRun(environment, folder));
  return next === '' ? [] : [next];
}
