import { readFile } from 'node:fs/promises';
import { fileError, systemCodeOf } from '@fenestra/kernel';
import { linesSince, timeOf } from './logs-line.ts';

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
