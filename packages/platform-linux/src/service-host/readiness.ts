import { readFile } from 'node:fs/promises';
import { replaceSmallFile } from '../files/small-file.ts';

/**
 * The environment variable by which a service manager names the file where our programs tell how far they are.
 *
 * Readiness goes through a file because systemd's own way, a datagram to NOTIFY_SOCKET, is closed to Node (it has no
 * Unix datagram sockets), and because a unit of type `notify` would never come up with a program that knows nothing
 * of it, such as an agent that is not ours. The supervisor uses the same file.
 */
export const READINESS_VARIABLE = 'FENESTRA_READINESS_FILE';

/** How far a program says it is. */
export type Readiness = 'starting' | 'ready';

/** A program that says nothing of its readiness counts as running after this long. */
const SETTLE_MS = 5_000;

/** Writes down how far this process is, if someone wants to know. */
export async function announceReadiness(file: string | undefined, readiness: Readiness): Promise<void> {
  if (file === undefined) return;
  replaceSmallFile(file, `${readiness} ${process.pid}\n`);
}

/** What the process with this number has announced, if anything. */
export async function readReadiness(file: string, pid: number): Promise<Readiness | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return parseReadiness(text, pid);
}

/** Understands the file's text; what another process has written says nothing. */
export function parseReadiness(text: string, pid: number): Readiness | undefined {
  const [word, author] = text.trim().split(' ');
  return author === String(pid) && (word === 'starting' || word === 'ready') ? word : undefined;
}

/** The state of a service whose process has been alive for `aliveMs`. */
export function stateOfLiveProcess(readiness: Readiness | undefined, aliveMs: number): 'starting' | 'running' {
  if (readiness === undefined) return aliveMs < SETTLE_MS ? 'starting' : 'running';
  return readiness === 'ready' ? 'running' : 'starting';
}
