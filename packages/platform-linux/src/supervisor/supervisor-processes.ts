import type { ProcessIdentity } from '@fenestra/platform';
import { markedProcesses } from '../host/marked-processes.ts';
import { identifyProcess } from '../host/process-identity.ts';
import type { ServiceFolder } from './service-folder.ts';
import { liveSupervisor } from './supervision-claim.ts';

/** Marks the supervisor processes of a service, from their first moment on. */
const VARIABLE = 'FENESTRA_SUPERVISES';

/** What a supervisor's environment holds besides what every service has. */
export function supervisorMark(folder: ServiceFolder): Readonly<Record<string, string>> {
  return { [VARIABLE]: folder.path };
}

/**
 * All supervisor processes of a service: the one that has claimed it, one that was just started and will claim it, and
 * one that has released it and is about to end.
 */
export async function supervisorProcesses(folder: ServiceFolder): Promise<readonly ProcessIdentity[]> {
  const live = await liveSupervisor(folder);
  const pids = new Set(await markedProcesses(VARIABLE, folder.path));
  if (live !== undefined) pids.add(live.pid);
  const identities = await Promise.all([...pids].map(identifyProcess));
  return identities.filter((identity) => identity !== undefined);
}

/** Whether no process is about to claim the service or to end. */
export async function isSettled(folder: ServiceFolder): Promise<boolean> {
  const processes = await supervisorProcesses(folder);
  const live = await liveSupervisor(folder);
  return processes.every(({ pid }) => pid === live?.pid);
}
