import { nextStep, runOwner, type RunAccount, type StoredRun } from '@fenestra/fleet';
import type { KeadmEnvironment } from '../platform.ts';
import { namedRun } from './runs-folder.ts';

const GOES_ON = 'goes on';
const PAUSED = 'paused';

/** How a run ended; or whether somebody works on it, or it was cut off. */
export async function standingOfRun(
  { loadPlatform }: Pick<KeadmEnvironment, 'loadPlatform'>,
  { folder, state }: StoredRun,
): Promise<string> {
  const owner = await runOwner(folder);
  const { host } = await loadPlatform(undefined);
  if (owner !== undefined && (await host.isAlive(owner))) return state?.paused === true ? PAUSED : GOES_ON;
  return state?.outcome ?? 'cut off';
}

/** The line with what to do next about a run in this folder, if there is anything: not while somebody works on it. */
export function nextLines(
  environment: Pick<KeadmEnvironment, 'variables'>,
  folder: string,
  account: RunAccount,
  standing: string,
): readonly string[] {
  if (standing === GOES_ON) return [];
  // Whoever had paused it may be gone.
  const next = nextStep({ ...account, paused: standing === PAUSED }, namedRun(environment, folder));
  return next === '' ? [] : [next];
}
