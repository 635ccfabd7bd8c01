import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
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
