import { readFile } from 'node:fs/promises';
import { fileError, systemCodeOf, parseJson } from '@fenestra/kernel';

/** Which of the lines that are there. */
export interface LogWishes {
  readonly lines: number;
  readonly since: Date | undefined;
}

/** More than the agent ever keeps. */
const MOST_FILES = 20;
const NEWLINE = 0x0a;

/**
 * The last lines of a log that is kept in several files, `<path>.1` being the one before `<path>`; as few of them are
 * read as will do. Of the newest file only the bytes before `end` count.
 */
export async function readLog(path: string, { lines, since }: LogWishes, end: number): Promise<readonly string[]> {
  let found: readonly string[] = [];
  for (let number = 0; number < MOST_FILES; number += 1) {
    const text = await textOf(number === 0 ? path : `${path}.${number}`, number === 0 ? end : undefined);
    if (text === undefined && number > 0) break;
    found = [...linesOf(text ?? ''), ...found];
    if (found.length >= lines || reachesBack(found, since)) break;
  }
  const wanted = linesSince(found, since);
  return wanted.slice(Math.max(0, wanted.length - lines));
}

/** Where the last whole line of a file ends: what follows is still being written. */
export async function endOfLastLine(path: string): Promise<number> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw fileError(cause, `read the log "${path}"`);
  });
  return bytes.lastIndexOf(NEWLINE) + 1;
}

async function textOf(path: string, end: number | undefined): Promise<string | undefined> {
  try {
    return (await readFile(path)).subarray(0, end).toString('utf8');
  } catch (cause) {
    if (systemCodeOf(cause) === 'ENOENT') return undefined;
    throw fileError(cause, `read the log "${path}"`);
  }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function reachesBack(lines: readonly string[], since: Date | undefined): boolean {
  const first = lines.map(timeOf).find((time) => time !== undefined);
  return since !== undefined && first !== undefined && first < since.getTime();
}

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

function timeOf(line: string): number | undefined {
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
