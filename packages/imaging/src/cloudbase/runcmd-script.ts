/** The longest line that cmd.exe reads. */
export const LONGEST_CMD_LINE = 8191;

/** One entry of `runcmd` as the line it becomes; `undefined` for what stops the whole script from being made. */
export function runcmdLine(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  return Array.isArray(entry) ? entry.map(pythonText).join(' ') : undefined;
}

/** The one script that all entries of `runcmd` become. */
export function runcmdScript(lines: readonly string[]): string {
  return ['rem cmd', ...lines].map((line) => `${line}\r\n`).join('');
}

/** As Python prints a value. */
function pythonText(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
