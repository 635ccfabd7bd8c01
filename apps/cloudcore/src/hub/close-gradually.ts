import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from './session.ts';

const STEP_MS = 50;
const MS_PER_NODE = 5;
const LONGEST_MS = 5_000;
/** How long a node has to close its end of a connection. */
export const FAREWELL_MS = 2_000;

/** Ends sessions a few at a time, then cuts the connections that are still open. Aborting shortens the waits only. */
export async function closeGradually(
  sessions: readonly Session[],
  end: (session: Session) => void,
  signal: AbortSignal,
): Promise<void> {
  const steps = Math.ceil(Math.min(LONGEST_MS, sessions.length * MS_PER_NODE) / STEP_MS);
  const perStep = Math.ceil(sessions.length / Math.max(1, steps));
  for (let index = 0; index < sessions.length; index += perStep) {
    const some = sessions.slice(index, index + perStep);
    for (const session of some) end(session);
    await pause(STEP_MS, signal);
  }
  await untilClosed(sessions, signal);
  for (const { socket } of sessions) socket.terminate();
}

async function untilClosed(sessions: readonly Session[], signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < FAREWELL_MS && !signal.aborted; waited += STEP_MS) {
    if (sessions.every(({ socket }) => socket.readyState === socket.CLOSED)) return;
    await pause(STEP_MS, signal);
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
