import { appendFileSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { endOfLastLine, readLog, linesSince, logText } from './logs-files.ts';
import { followLog, splitLines } from './logs-follow.ts';

const newLog = (): string => join(mkdtempSync(join(tmpdir(), 'logs-')), 'edgecore.log');
const at = (day: number): string => `{"time":"2026-01-0${day}T00:00:00Z","level":"info","msg":"m"}`;

test('the last lines are read across as many files as it takes', async () => {
  const path = newLog();
  writeFileSync(`${path}.2`, 'one\ntwo\n');
  writeFileSync(`${path}.1`, 'three\nfour\n');
  writeFileSync(path, 'five\nhalf a li');
  const read = async (lines: number): Promise<readonly string[]> =>
    readLog(path, { lines, since: undefined }, await endOfLastLine(path));
  expect(await read(0)).toEqual([]);
  expect(await read(2)).toEqual(['four', 'five']);
  expect(await read(4)).toEqual(['two', 'three', 'four', 'five']);
  expect(await read(Infinity)).toEqual(['one', 'two', 'three', 'four', 'five']);
});

test('since reads back as far as it has to', async () => {
  const path = newLog();
  writeFileSync(`${path}.2`, `${at(1)}\n`);
  writeFileSync(`${path}.1`, `${at(2)}\n${at(3)}\n`);
  writeFileSync(path, `${at(4)}\n`);
  const since = new Date('2026-01-03T00:00:00Z');
  expect(await readLog(path, { lines: Infinity, since }, await endOfLastLine(path))).toEqual([at(3), at(4)]);
});

test('a log that is not there is a catalogue error', async () => {
  await expect(endOfLastLine(newLog())).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' });
});

test('following goes on across a rotation, without losing or repeating a line, until it is interrupted', async () => {
  const path = newLog();
  writeFileSync(path, 'old\n');
  const stop = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const line of followLog(path, 4, stop.signal)) {
      seen.push(line);
      if (line === 'last') stop.abort();
    }
  })();
  appendFileSync(path, 'one\ntw');
  await vi.waitFor(() => expect(seen).toEqual(['one']));
  appendFileSync(path, 'o\nthree\n');
  renameSync(path, `${path}.1`);
  writeFileSync(path, 'four\nlast\n');
  await following;
  expect(seen).toEqual(['one', 'two', 'three', 'four', 'last']);
});

test('following waits for a log that is not there yet', async () => {
  const path = newLog();
  const { signal } = new AbortController();
  const first = (async () => {
    for await (const line of followLog(path, 0, signal)) return line;
  })();
  await sleep(50);
  writeFileSync(path, 'here\n');
  expect(await first).toBe('here');
});

test('a character that was cut in two is put together', () => {
  const bytes = Buffer.from('grün\n');
  const { lines, left } = splitLines(bytes.subarray(0, 3));
  expect(lines).toEqual([]);
  expect(splitLines(Buffer.concat([left, bytes.subarray(3)])).lines).toEqual(['grün']);
});

const line = (time: string, msg = 'm'): string => JSON.stringify({ time, level: 'info', msg });

test('a line of the agent becomes time, level, message and fields', () => {
  const json =
    '{"time":"2026-01-02T03:04:05.006Z","level":"warn","msg":"Lost the cloud","module":"edgeHub","why":"no route","tries":3}';
  expect(logText(json)).toBe('2026-01-02 03:04:05.006  warn   Lost the cloud  module=edgeHub  why="no route"  tries=3');
});

test.each(['', 'panic: runtime error', '{"time":1}', '[1]', 'null'])('%j, of another form, stays as it is', (text) => {
  expect(logText(text)).toBe(text);
});

test('since keeps what came later, with lines that bear no time of their own', () => {
  const lines = [line('2026-01-01T00:00:00Z'), 'of the first', line('2026-01-02T00:00:00Z'), 'of the second'];
  expect(linesSince(lines, new Date('2026-01-01T12:00:00Z'))).toEqual(lines.slice(2));
  expect(linesSince(lines, new Date('2027-01-01T00:00:00Z'))).toEqual([]);
  expect(linesSince(lines, undefined)).toEqual(lines);
});

test('a log that bears no times is shown whole, whatever since says', () => {
  expect(linesSince(['I0102 a', 'I0102 b'], new Date())).toEqual(['I0102 a', 'I0102 b']);
});
