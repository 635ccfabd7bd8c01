import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
/** Of the columns of /proc/stat, those in which the processors do nothing. */
const IDLE = 3;
const WAITING = 4;
/** The columns after this one count what other machines took of the processors, and what is in others already. */
const LAST = 6;

/**
 * How long this machine's processors have been busy, in seconds: controllers, targets, and whatever else runs. Counting
 * by processes would leave out what outlives its parent, as a shell does whose connection is closed.
 */
export function processorSeconds(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const columns = line.split(/\s+/).slice(1).map(Number);
  const busy = columns.filter((_, column) => column !== IDLE && column !== WAITING && column <= LAST);
  return busy.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
}
