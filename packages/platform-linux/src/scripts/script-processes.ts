import { setTimeout as sleep } from 'node:timers/promises';
import { markedProcesses } from '../host/marked-processes.ts';
import { sendSignal } from '../host/send-signal.ts';

/** The mark that everything a script starts inherits, so that what leaves its group or session is still found. */
export const SCRIPT_VARIABLE = 'FENESTRA_SCRIPT';

const PAUSE_MS = 20;

/** Ends all processes with this mark; again and again, because one may just have started another. */
export async function endMarked(mark: string): Promise<void> {
  for (;;) {
    const pids = await markedProcesses(SCRIPT_VARIABLE, mark);
    if (pids.length === 0) return;
    for (const pid of pids) sendSignal(pid, 'SIGKILL');
    await sleep(PAUSE_MS);
  }
}
