import { readFile, readdir } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import type { ProcessIdentity } from '@fenestra/platform';

const STATE_FIELD = 0;
const START_TIME_FIELD = 19;
const ENDED_STATES: readonly string[] = ['Z', 'X', 'x'];

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** The kernel's mark of the current boot. */
export async function readBootId(): Promise<string> {
  try {
    return (await readFile(BOOT_ID, 'utf8')).trim();
  } catch (cause) {
    throw fileError(cause, `read "${BOOT_ID}"`);
  }
}

/** The process that has this number now; `undefined` if none has, or only the remains of one. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  const startedAt = startMarkOf(await readProcessStat(pid));
  return startedAt === undefined ? undefined : { pid, startedAt, bootId: await readBootId() };
}

/** Whether exactly this process still runs. */
export async function isProcessAlive({ pid, startedAt, bootId }: ProcessIdentity): Promise<boolean> {
  const now = await identifyProcess(pid);
  return now !== undefined && now.startedAt === startedAt && now.bootId === bootId;
}

/** The start time, in clock ticks since boot, from `/proc/PID/stat`; `undefined` for a process that has ended. */
export function startMarkOf(stat: string | undefined): string | undefined {
  // The program's name comes in parentheses and may itself hold any character.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields?.[STATE_FIELD];
  return state === undefined || ENDED_STATES.includes(state) ? undefined : fields?.[START_TIME_FIELD];
}

async function readProcessStat(pid: number): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/stat`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(systemCodeOf(error))) return undefined;
    throw error;
  }
}

/** The processes that were started with this variable in their environment, however far from the process that set it. */
export async function markedProcesses(variable: string, value: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(pids.map((pid) => carriesMark(pid, `${variable}=${value}`)));
  return pids.filter((_, index) => marked[index] === true).map(Number);
}

async function carriesMark(pid: string, mark: string): Promise<boolean> {
  // A process of another account cannot be read, and cannot be ours; one that has ended has no environment.
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(mark);
}

/** Sends a signal to a process that may have ended in the meantime. */
export function sendSignal(pid: number, signalName: NodeJS.Signals): void {
  try {
    process.kill(pid, signalName);
  } catch {
    // It has ended by itself.
  }
}
