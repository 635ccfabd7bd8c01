import { type ProcessIdentity, waitUntil } from '@fenestra/platform';
import { markedProcesses } from '../host/marked-processes.ts';
import { identifyProcess, isProcessAlive } from '../host/process-identity.ts';
import { sendSignal } from '../host/send-signal.ts';
import { READINESS_VARIABLE } from '../service-host/readiness.ts';
import type { ServiceFolder } from './service-folder.ts';
import { readRecord } from './supervisor-record.ts';

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
