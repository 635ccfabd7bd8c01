import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unmountBy } from './unmount.ts';

const LIMIT_MS = 20_000;
/** For programs that exceed it. */
const SHORT_LIMIT_MS = 300;
/** For a program that exceeds it once and then has to end within it. */
const MIDDLE_LIMIT_MS = 5_000;
let folder: string;
let said: string[];

beforeEach(async () => {
  said = [];
  folder = await mkdtemp(join(tmpdir(), 'unmount-'));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

/** A program in place of `umount`: nothing is mounted here. It writes down its arguments. */
async function unmountWith(
  script: string,
  { limitMs = LIMIT_MS, signal = new AbortController().signal } = {},
): Promise<void> {
  const program = join(folder, 'umount');
  await writeFile(program, `#!/bin/sh\necho "$@" >> "${folder}/calls"\n${script}\n`);
  await chmod(program, 0o755);
  await unmountBy({ program, limitMs, say: (text) => said.push(text) }, '/volume', signal);
}

const calls = async (): Promise<readonly string[]> =>
  (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');

/** Is on with the pipe of its complaints in hand when it is killed, as a process that the kernel holds does. */
const STUCK = 'trap "" TERM; sleep 8 & wait';

test('a mount is undone in good order', async () => {
  await unmountWith('exit 0');
  expect(await calls()).toEqual(['-- /volume']);
  expect(said).toEqual([]);
});

test('one that is in use is not detached, and what was said of it is reported', async () => {
  await expect(unmountWith('echo "target is busy" >&2; exit 32')).rejects.toMatchObject({
    code: 'COMMAND_FAILED',
    message: 'Cannot unmount "/volume": target is busy',
  });
  expect(await calls()).toHaveLength(1);
});

test('a machine without the program gets a message of ours', async () => {
  const unmounter = { program: join(folder, 'none'), limitMs: LIMIT_MS, say: () => {} };
  await expect(unmountBy(unmounter, '/volume', new AbortController().signal)).rejects.toMatchObject({
    code: 'COMMAND_FAILED',
    message: expect.stringContaining('ENOENT'),
  });
});

test('one that no one answers for is detached in time, and that is reported permanently', async () => {
  await unmountWith(`case "$*" in *--lazy*) exit 0;; esac; ${STUCK}`, { limitMs: MIDDLE_LIMIT_MS });
  expect(await calls()).toEqual(['-- /volume', expect.stringMatching(/--lazy -- \/volume$/)]);
  expect(said).toEqual([expect.stringContaining('"/volume"')]);
});

test('one that cannot even be detached holds nothing up for ever', async () => {
  await expect(unmountWith(STUCK, { limitMs: SHORT_LIMIT_MS })).rejects.toMatchObject({
    code: 'COMMAND_FAILED',
    message: expect.stringContaining('stuck'),
    hint: expect.stringContaining('keadm recover'),
  });
});

test('an interruption ends the waiting, and nothing is detached', async () => {
  await expect(unmountWith(STUCK, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'INTERRUPTED' });
  expect(said).toEqual([]);
});
