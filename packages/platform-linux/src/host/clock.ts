import type { ClockFacts } from '@fenestra/platform';
import { runCommand } from '../run-command.ts';

const PATIENCE_MS = 5_000;

/** The clock, and whether systemd's `timedatectl` (which asks the kernel) says that something keeps it right. */
export async function readClock(hasSystemd: boolean): Promise<ClockFacts> {
  const now = new Date();
  if (!hasSystemd) return { now, synchronized: undefined };
  const args = ['show', '--property=NTPSynchronized', '--value'];
  const { stdout } = await runCommand('timedatectl', args, AbortSignal.timeout(PATIENCE_MS));
  return { now, synchronized: parseSynchronized(stdout) };
}

/** `timedatectl` answers `yes` or `no`; anything else is no answer. */
export function parseSynchronized(answer: string): boolean | undefined {
  const word = answer.trim();
  return word === 'yes' ? true : word === 'no' ? false : undefined;
}
