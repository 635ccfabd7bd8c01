import { readdir, readFile } from 'node:fs/promises';
import { type ProcessIdentity, waitUntil } from '@fenestra/platform';
import { identifyProcess, isProcessAlive } from '../host/process-identity.ts';
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

/** Sends a signal to a process that may have ended meanwhile. */
export function sendSignal(pid: number, signalName: NodeJS.Signals): void {
  try {
    process.kill(pid, signalName);
  } catch {
    // It has ended by itself.
  }
}

/**
 * The program of the last record, and whatever else carries this service's mark in its environment: a supervisor
 * can be killed after it has started the program and before it has written that down.
 */
async function findOrphans(folder: ServiceFolder): Promise<readonly ProcessIdentity[]> {
  const program = (await readRecord(folder.record))?.program;
  const recorded = program !== undefined && (await isProcessAlive(program)) ? [program.pid] : [];
  const pids = new Set([...recorded, ...(await markedProcesses(folder.readiness))]);
  pids.delete(process.pid);
  const identities = await Promise.all([...pids].map(identifyProcess));
  return identities.filter((identity) => identity !== undefined);
}

async function markedProcesses(readinessFile: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(pids.map((pid) => carriesMark(pid, `${READINESS_VARIABLE}=${readinessFile}`)));
  return pids.filter((_, index) => marked[index] === true).map(Number);
}

async function carriesMark(pid: string, mark: string): Promise<boolean> {
  // A process of another account cannot be read, and cannot be ours.
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(mark);
}

async function goneOrForced(orphans: readonly ProcessIdentity[], deadline: number): Promise<boolean> {
  const alive = await Promise.all(orphans.map(isProcessAlive));
  const left = orphans.filter((_, index) => alive[index] === true);
  if (Date.now() > deadline) for (const { pid } of left) sendSignal(pid, 'SIGKILL');
  return left.length === 0;
}
