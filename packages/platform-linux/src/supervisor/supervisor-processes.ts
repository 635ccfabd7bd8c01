import { type ProcessIdentity, waitUntil } from '@fenestra/platform';
import { markedProcesses, identifyProcess, isProcessAlive, sendSignal } from '../host/processes.ts';
import { READINESS_VARIABLE } from '../service-host/readiness.ts';
import type { ServiceFolder } from './service-folder.ts';
import { liveSupervisor } from './supervision-claim.ts';
import { readRecord } from './supervisor-record.ts';

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

const GRACE_MS = 10_000;

/** Ends the programs that a killed supervisor has left behind, first asking, then by force. Never call it beside a live supervisor. */
export async function endOrphans(folder: ServiceFolder, signal: AbortSignal): Promise<void> {
  const orphans = await findOrphans(folder);
  if (orphans.length === 0) return;
  for (const { pid } of orphans) sendSignal(pid, 'SIGTERM');
  const deadline = Date.now() + GRACE_MS;
  await waitUntil('waiting for a left-over program to end', () => goneOrForced(orphans, deadline), signal);
}

/**
 * The program of the last record, and whatever else carries this service's mark in its environment: a supervisor
 * can be killed after it has started the program and before it has written that down.
 */
async function findOrphans(folder: ServiceFolder): Promise<readonly ProcessIdentity[]> {
  const program = (await readRecord(folder.record))?.program;
  const recorded = program !== undefined && (await isProcessAlive(program)) ? [program.pid] : [];
  const pids = new Set([...recorded, ...(await markedProcesses(READINESS_VARIABLE, folder.readiness))]);
  pids.delete(process.pid);
  const identities = await Promise.all([...pids].map(identifyProcess));
  return identities.filter((identity) => identity !== undefined);
}

async function goneOrForced(orphans: readonly ProcessIdentity[], deadline: number): Promise<boolean> {
  const alive = await Promise.all(orphans.map(isProcessAlive));
  const left = orphans.filter((_, index) => alive[index] === true);
  if (Date.now() > deadline) for (const { pid } of left) sendSignal(pid, 'SIGKILL');
  return left.length === 0;
}
