import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { silentLogger } from '@fenestra/platform';
import { beforeEach, expect, test } from 'vitest';
import { rotateLog } from './rotate-log.ts';

const { signal } = new AbortController();
const FIRST = '0.log.20260301-100000';
const SECOND = '0.log.20260301-110000';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fenestra-logs-'));
  await writeFile(join(folder, '0.log'), 'first');
});

async function rotate(time: string, reopenLog: () => Promise<void>, maxFiles = 5): Promise<void> {
  const now = (): number => Date.parse(time);
  const tools = { runtime: { reopenLog }, settings: { maxFiles }, log: silentLogger(), now };
  await rotateLog({ id: 'c1', folder, attempt: 0 }, tools, signal);
}

function reopen(text: string): () => Promise<void> {
  return async () => writeFile(join(folder, '0.log'), text, { flag: 'a' });
}

async function refuse(): Promise<void> {
  throw new Error('the container is not running');
}

async function lose(): Promise<void> {
  await reopen('second')();
  throw new Error('connection lost');
}

async function contentOf(name: string): Promise<string> {
  const bytes = await readFile(join(folder, name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

test('a rotation renames the log, has it opened again, and compresses the one before', async () => {
  await rotate('2026-03-01T10:00:00Z', reopen('second'));
  expect(await readdir(folder)).toEqual(['0.log', FIRST]);
  await rotate('2026-03-01T11:00:00Z', reopen('third'));
  const names = ['0.log', `${FIRST}.gz`, SECOND];
  expect(await readdir(folder)).toEqual(names);
  expect(await Promise.all(names.map(contentOf))).toEqual(['third', 'first', 'second']);
});

test('the oldest files are removed', async () => {
  for (const hour of [10, 11, 12, 13]) await rotate(`2026-03-01T${hour}:00:00Z`, reopen(`after ${hour}`), 3);
  expect(await readdir(folder)).toEqual(['0.log', '0.log.20260301-120000.gz', '0.log.20260301-130000']);
});

test('a log that the runtime refuses to open keeps its name and its content', async () => {
  await expect(rotate('2026-03-01T10:00:00Z', refuse)).rejects.toThrow('not running');
  expect(await readdir(folder)).toEqual(['0.log']);
  expect(await contentOf('0.log')).toBe('first');
});

test('what the runtime has written is kept although its answer was lost', async () => {
  await expect(rotate('2026-03-01T10:00:00Z', lose)).rejects.toThrow('lost');
  expect(await contentOf('0.log')).toBe('second');
  expect(await contentOf(FIRST)).toBe('first');
});

test('a compression that was interrupted starts from its file again', async () => {
  await writeFile(join(folder, FIRST), 'older');
  await writeFile(join(folder, `${FIRST}.tmp`), 'half of a file');
  await rotate('2026-03-01T11:00:00Z', reopen(''));
  expect(await readdir(folder)).toEqual(['0.log', `${FIRST}.gz`, SECOND]);
  expect(await contentOf(`${FIRST}.gz`)).toBe('older');
});
