import { parseJson } from '@fenestra/kernel';

interface LogRecord {
  readonly time: string;
  readonly level: string;
  readonly msg: string;
}

/** A line of the agent's log as people read it: time, level, message, fields. A line of another form stays as it is. */
export function logText(line: string): string {
  const record = parseJson(line);
  if (!isLogRecord(record)) return line;
  const { time, level, msg, ...fields } = record;
  const details = Object.entries(fields).map(([name, value]) => `${name}=${fieldText(value)}`);
  return [time.replace('T', ' ').replace('Z', ''), level.padEnd(5), msg, ...details].join('  ');
}

/** The lines from a moment on. One that bears no time belongs to the one before it. */
export function linesSince(lines: readonly string[], since: Date | undefined): readonly string[] {
  if (since === undefined) return lines;
  const times = lines.map(timeOf);
  // A log of another form bears no times at all, and is better shown than hidden.
  if (times.every((time) => time === undefined)) return lines;
  const first = times.findIndex((time) => time !== undefined && time >= since.getTime());
  return first === -1 ? [] : lines.slice(first);
}

/** When a line was written, if it says so. */
export function timeOf(line: string): number | undefined {
  const record = parseJson(line);
  const time = isLogRecord(record) ? Date.parse(record.time) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function isLogRecord(value: unknown): value is LogRecord {
  if (typeof value !== 'object' || value === null) return false;
  if (!('time' in value && 'level' in value && 'msg' in value)) return false;
  return [value.time, value.level, value.msg].every((part) => typeof part === 'string');
}

function fieldText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}
