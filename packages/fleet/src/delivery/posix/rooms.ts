import { pause, type RemoteHost, type RemoteProcess } from '@fenestra/platform';
import type { Become } from '../../inventory/batch-node.ts';
import { hasCode } from '../failures.ts';
import { MOST_IN_ROOM, rightsLine } from './bootstrap.ts';
import type { PosixScript } from './posix-script.ts';
import { Room } from './room.ts';

/** The shells that wait for the next script, as long as the connection is there. */
const ROOMS = new WeakMap<RemoteHost, Room>();

/**
 * The shell that runs a script besides others, if it is one for that. The system's ssh would be kept running for it here,
 * and a script that waits for another one to end might wait for long.
 */
export function roomFor(
  host: RemoteHost,
  become: Become | undefined,
  { script, input, knowsItsEnd }: Pick<PosixScript, 'script' | 'input' | 'knowsItsEnd'>,
): Room | undefined {
  const isPlain = become?.password === undefined && script.length < MOST_IN_ROOM;
  if (!isPlain || host.target.transport === 'system') return undefined;
  const known = ROOMS.get(host);
  if (input !== undefined) return knowsItsEnd === true && known?.takesInput === true ? known : undefined;
  if (known?.state === 'free') return known;
  if (known?.state === 'busy') return undefined;
  const room = new Room(host, rightsLine(become));
  ROOMS.set(host, room);
  return room;
}

/** Starts what needs a session of its own. */
export function besideRoom(host: RemoteHost): Pick<RemoteHost, 'start'> {
  return { start: async (line, signal) => startBeside(host, line, signal) };
}

/** A server may allow a connection a single session, which the shell that waits has: then that one is left. */
async function startBeside(host: RemoteHost, line: string, signal: AbortSignal): Promise<RemoteProcess> {
  try {
    return await host.start(line, signal);
  } catch (error) {
    const room = ROOMS.get(host);
    if (!hasCode(error, 'REMOTE_LOST') || room?.state !== 'free') throw error;
    await room.leave();
    return startAfter(host, line, PAUSES_MS, signal);
  }
}

/** A server takes a moment to see that a session is over. */
const PAUSES_MS: readonly number[] = [20, 100, 500, 2000];

async function startAfter(
  host: RemoteHost,
  line: string,
  [wait, ...waits]: readonly number[],
  signal: AbortSignal,
): Promise<RemoteProcess> {
  await pause(wait ?? 0, 'waiting for another session', signal);
  try {
    return await host.start(line, signal);
  } catch (error) {
    if (!hasCode(error, 'REMOTE_LOST') || waits.length === 0) throw error;
    return startAfter(host, line, waits, signal);
  }
}
