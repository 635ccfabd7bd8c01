import type { ServiceStatus } from '@fenestra/platform';
import { cleanText } from '@fenestra/platform/terminal-text';

/** Makes the lines of a status: labels of one width, and below them what to do. */
export function statusLines(labelWidth: number) {
  /** Every text may come from a file or another machine: it cannot add lines. */
  const line = (label: string, text: string): string => `${label.padEnd(labelWidth)}${cleanText(text)}`;
  return { line, remedy: (text: string): string => line('', `-> ${text}`) };
}

/** What a service does, in words. */
export function serviceText({ state, pid, exitCode }: ServiceStatus): string {
  const ended = state === 'failed' && exitCode !== undefined ? `, last exit code ${exitCode}` : '';
  return `${state}${pid === undefined ? '' : `, process ${pid}`}${ended}`;
}
