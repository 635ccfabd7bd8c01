import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireNodeLock, type LockOwner, type LockRequest, nodeLockOwner } from './node-lock.ts';

const lockFolder = async (): Promise<string> => mkdtemp(join(tmpdir(), 'lock-'));
const ownerWith = (pid: number): LockOwner => ({ pid, startedAt: 's', bootId: 'b', command: 'keadm join' });

function requestFor(folder: string, pid: number, alive: ReadonlySet<number>): LockRequest {
  return { folder, owner: ownerWith(pid), isAlive: async (process) => alive.has(process.pid) };
}

test('a living owner keeps the lock, and the refusal names it', async () => {
  const folder = await lockFolder();
  const alive = new Set([1, 2]);
  await acquireNodeLock(requestFor(folder, 1, alive));
  await expect(acquireNodeLock(requestFor(folder, 2, alive))).rejects.toMatchObject({
    code: 'NODE_LOCKED',
    details: { pid: 1, command: 'keadm join' },
  });
});

test('a released lock is free', async () => {
  const folder = await lockFolder();
  const alive = new Set([1, 2]);
  await (await acquireNodeLock(requestFor(folder, 1, alive))).release();
  expect(await nodeLockOwner(folder)).toBeUndefined();
  await acquireNodeLock(requestFor(folder, 2, alive));
  expect(await nodeLockOwner(folder)).toEqual(ownerWith(2));
});

test("a stopped owner's lock is taken over", async () => {
  const folder = await lockFolder();
  await acquireNodeLock(requestFor(folder, 1, new Set()));
  await acquireNodeLock(requestFor(folder, 2, new Set([2])));
  expect(await nodeLockOwner(folder)).toEqual(ownerWith(2));
});

test('of many that find the same stopped owner exactly one takes over', async () => {
  for (let round = 0; round < 20; round += 1) {
    const folder = await lockFolder();
    await acquireNodeLock(requestFor(folder, 999, new Set()));
    const contenders = Array.from({ length: 12 }, (_, index) => index + 1);
    const alive = new Set(contenders);
    const results = await Promise.allSettled(
      contenders.map(async (pid) => acquireNodeLock(requestFor(folder, pid, alive))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
});

test('a damaged lock file holds nothing, and old files do not pile up', async () => {
  const folder = await lockFolder();
  await writeFile(join(folder, 'lock-7'), '\0\0\0');
  const lock = await acquireNodeLock(requestFor(folder, 1, new Set([1])));
  await lock.release();
  expect(await readdir(folder)).toEqual(['lock-9', 'spare']);
});

test('drafts of processes that were killed are deleted by the next owner', async () => {
  const folder = await lockFolder();
  await writeFile(join(folder, 'draft-of-a-killed-process'), '');
  await acquireNodeLock(requestFor(folder, 1, new Set([1])));
  expect((await readdir(folder)).toSorted()).toEqual(['lock-1', 'spare']);
});

test('taking a lock over and releasing it need no file but those that are there', async () => {
  const folder = await lockFolder();
  await acquireNodeLock(requestFor(folder, 1, new Set()));
  const files = async (): Promise<Set<number>> =>
    new Set(await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).ino)));
  const before = await files();
  const lock = await acquireNodeLock(requestFor(folder, 2, new Set([2])));
  expect(await files()).toEqual(before);
  await lock.release();
  expect(await files()).toEqual(before);
  await acquireNodeLock(requestFor(folder, 3, new Set([3])));
  expect(await files()).toEqual(before);
});

test('a short record over a long one is read whole', async () => {
  const folder = await lockFolder();
  const long = { ...ownerWith(1), command: 'keadm '.repeat(2000) };
  await (await acquireNodeLock({ ...requestFor(folder, 1, new Set()), owner: long })).release();
  for (const pid of [2, 3, 4]) {
    await acquireNodeLock(requestFor(folder, pid, new Set()));
    expect(await nodeLockOwner(folder)).toEqual(ownerWith(pid));
  }
});
