import { pythonText } from './cloud-config/python.ts';

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

/** What cloudbase-init makes of a script's exit code. */
export interface ExitMeaning {
  readonly reboots: boolean;
  readonly runsAgain: boolean;
}

/** A script that is the user-data itself, or a part of it. Only three codes mean anything. */
export function exitOfScript(code: number): ExitMeaning {
  if (code < 1001 || code > 1003) return { reboots: false, runsAgain: false };
  return { reboots: code % 2 === 1, runsAgain: code >= 1002 };
}

/** The script of `runcmd`: a wish for a reboot comes back as 1003, and 1002 is lost. */
export function exitOfRuncmd(code: number): ExitMeaning {
  const { reboots } = exitOfScript(code);
  return { reboots, runsAgain: reboots };
}
