import type { Container } from '../pod/container-fields.ts';

const MAX_BYTES = 4096;
const MAX_LOG_BYTES = 2048;
const MAX_LOG_LINES = 80;

/** How much of the end of a log may become a termination message. */
export const TERMINATION_LOG_TAIL = { bytes: MAX_LOG_BYTES, lines: MAX_LOG_LINES } as const;

/**
 * What a container left as its last word: the file it wrote, or the end of its log if it failed without one and asked
 * for that.
 */
export function terminationMessage(
  { terminationMessagePolicy }: Pick<Container, 'terminationMessagePolicy'>,
  exitCode: number,
  file: Uint8Array,
  logTail: string,
): string {
  const written = Buffer.from(file.subarray(0, MAX_BYTES)).toString('utf8');
  const usesLog = terminationMessagePolicy === 'FallbackToLogsOnError' && exitCode !== 0 && written === '';
  return usesLog ? tailOf(logTail) : written;
}

function tailOf(log: string): string {
  const lines = log.split('\n');
  const ending = lines.at(-1) === '' ? 1 : 0;
  const last = lines.slice(-(MAX_LOG_LINES + ending)).join('\n');
  const bytes = Buffer.from(last, 'utf8');
  return bytes.subarray(Math.max(0, bytes.length - MAX_LOG_BYTES)).toString('utf8');
}
