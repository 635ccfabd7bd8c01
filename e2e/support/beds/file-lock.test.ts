import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { withFileLock } from './file-lock.ts';

const folder = await mkdtemp(join(tmpdir(), 'fenestra-lock-'));
const { signal } = new AbortController();

afterAll(async () => rm(folder, { recursive: true }));

test('only one at a time works under a lock', async () => {
  const events: string[] = [];
  const work = async (): Promise<void> => {
    events.push('in');
    await delay(50);
    events.push('out');
  };
  const file = join(folder, 'one');
  await Promise.all([withFileLock(file, work, signal), withFileLock(file, work, signal)]);
  expect(events).toEqual(['in', 'out', 'in', 'out']);
});

test('the lock is given back when the work fails', async () => {
  const file = join(folder, 'two');
  const failing = withFileLock(file, async () => Promise.reject(new Error('no')), signal);
  await expect(failing).rejects.toThrow('no');
  await expect(withFileLock(file, async () => 'yes', signal)).resolves.toBe('yes');
});

test('waiting for a lock ends when the signal fires', async () => {
  const file = join(folder, 'three');
  await withFileLock(
    file,
    async () => {
      await expect(withFileLock(file, async () => 'never', AbortSignal.timeout(100))).rejects.toThrow('aborted');
    },
    signal,
  );
});
