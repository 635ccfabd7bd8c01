import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { logBytes, type LogWishes, readLog } from './read-log.ts';

const { signal } = new AbortController();

let folder = '';
let rotations = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-log-'));
  rotations = 0;
});

const current = (): string => join(folder, '0.log');

function entries(from: number, to: number): string {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return numbers
    .map((number) => `2026-03-01T10:00:${String(number % 60).padStart(2, '0')}Z stdout F ${number}\n`)
    .join('');
}

async function rotate(): Promise<string> {
  rotations += 1;
  const rotated = `${current()}.20260301-${String(100_000 + rotations)}`;
  await rename(current(), rotated);
  return rotated;
}

async function compress(path: string): Promise<void> {
  await writeFile(`${path}.gz`, gzipSync(await readFile(path)));
  await rm(path);
}

async function textOf(wishes: LogWishes & { timestamps?: boolean; limitBytes?: number } = {}): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of logBytes(readLog({ folder, attempt: 0 }, wishes, signal), wishes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function numbersOf(wishes: LogWishes = {}): Promise<readonly number[]> {
  return (await textOf(wishes)).split('\n').slice(0, -1).map(Number);
}

async function writeThreeFiles(): Promise<void> {
  await writeFile(current(), entries(1, 3));
  await compress(await rotate());
  await writeFile(current(), entries(4, 6));
  await rotate();
  await writeFile(current(), entries(7, 9));
  await writeFile(join(folder, '1.log'), entries(100, 101));
}

test('a log is read over its rotated and compressed files', async () => {
  await writeThreeFiles();
  expect(await numbersOf()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test.each([
  [0, []],
  [2, [8, 9]],
  [3, [7, 8, 9]],
  [5, [5, 6, 7, 8, 9]],
  [8, [2, 3, 4, 5, 6, 7, 8, 9]],
  [100, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
])('the last %d lines are found in whichever files they are', async (tailLines, expected) => {
  await writeThreeFiles();
  expect(await numbersOf({ tailLines })).toEqual(expected);
});

test('lines from a time on are read, with their times if that is asked for', async () => {
  await writeThreeFiles();
  expect(await numbersOf({ since: Date.parse('2026-03-01T10:00:08Z') })).toEqual([8, 9]);
  expect(await textOf({ tailLines: 1, timestamps: true })).toBe('2026-03-01T10:00:09Z 9\n');
});

test('a limit in bytes cuts the last line', async () => {
  await writeThreeFiles();
  expect(await textOf({ limitBytes: 5 })).toBe('1\n2\n3');
});

test('a line that two files share is joined', async () => {
  await writeFile(current(), '2026-03-01T10:00:00Z stdout P one \n');
  await rotate();
  await writeFile(current(), '2026-03-01T10:00:00Z stdout F line\n2026-03-01T10:00:00Z stdout P more');
  expect(await textOf()).toBe('one line\n');
});

test('a damaged line is skipped, and a missing log is empty', async () => {
  expect(await textOf()).toBe('');
  await writeFile(current(), `${entries(1, 1)}\u0000\u0000 broken\n${entries(2, 2)}`);
  expect(await numbersOf()).toEqual([1, 2]);
});

test('a file that was renamed and not opened again belongs to the log', async () => {
  await writeFile(current(), entries(1, 3));
  await rotate();
  expect(await numbersOf({ tailLines: 2 })).toEqual([2, 3]);
});

test('a reader that follows sees every line once, however it is rotated, and ends with the instance', async () => {
  let isRunning = true;
  await writeFile(current(), '');
  const read = numbersOf({ isRunning: async () => isRunning });
  const last = 400;
  let before: string | undefined;
  for (let number = 1; number <= last; number++) {
    await appendFile(current(), entries(number, number));
    if (number % 100 !== 0) continue;
    // As the agent does it: the file of the rotation before is compressed, and the runtime opens a new one later.
    if (before !== undefined) await compress(before);
    before = await rotate();
    await appendFile(before, entries(number + 1, number + 1));
    number += 1;
    await writeFile(current(), '');
    await delay(300);
  }
  await appendFile(current(), entries(last + 2, last + 2));
  isRunning = false;
  expect(await read).toEqual(Array.from({ length: last + 2 }, (_, index) => index + 1));
});

test('a reader that follows ends when it is interrupted', async () => {
  await writeFile(current(), entries(1, 2));
  const interrupted = AbortSignal.timeout(300);
  const lines: string[] = [];
  for await (const { text } of readLog({ folder, attempt: 0 }, { isRunning: async () => true }, interrupted))
    lines.push(text.toString());
  expect(lines).toEqual(['1', '2']);
});
