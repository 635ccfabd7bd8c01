import { pythonText } from './cloud-config/python-value.ts';

/** The longest line that cmd.exe reads. */
export const LONGEST_CMD_LINE = 8191;

/** One entry of `runcmd` as the line it becomes; `undefined` for what stops the whole script from being made. */
export function runcmdLine(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  return Array.isArray(entry) ? entry.map((word) => pythonText(word)).join(' ') : undefined;
}

/** The one script that all entries of `runcmd` become. */
export function runcmdScript(lines: readonly string[]): string {
  return ['rem cmd', ...lines].map((line) => `${line}\r\n`).join('');
}
