import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KubeObject } from '../objects/kube-object.ts';
import type { Change } from './commit-queue.ts';
import { openObjectStore, parseBody, type ObjectStore } from './object-store.ts';

let folder = '';
let store: ObjectStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubelite-store-'));
  store = openObjectStore(join(folder, 'objects.db'));
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a write gets the next revision and is there after the store is opened again', async () => {
  const first = await store.write((writer) => writer.put(ref('a'), object('a')));
  const second = await store.write((writer) => writer.put(ref('b'), object('b')));
  expect(Number(second.metadata.resourceVersion)).toBe(Number(first.metadata.resourceVersion) + 1);
  store.close();
  store = openObjectStore(join(folder, 'objects.db'));
  expect(store.get(ref('a'))).toEqual(first);
  expect(store.revision()).toBe(Number(second.metadata.resourceVersion));
});

test('the files are for their owner only', async () => {
  await store.write((writer) => writer.put(ref('a'), object('a')));
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
});

test('the revision never goes back, not even when the newest object is removed', async () => {
  await store.write((writer) => writer.put(ref('a'), object('a')));
  const removed = await store.write((writer) => writer.remove(ref('a')));
  store.close();
  store = openObjectStore(join(folder, 'objects.db'));
  expect(String(store.revision())).toBe(removed?.metadata.resourceVersion);
});

test('a write that throws changes nothing, and the others of its commit go through', async () => {
  const seen: Change[] = [];
  store.onCommit((changes) => void seen.push(...changes));
  const good = store.write((writer) => writer.put(ref('a'), object('a')));
  const bad = store.write((writer) => {
    writer.put(ref('b'), object('b'));
    throw new Error('no');
  });
  const last = store.write((writer) => writer.put(ref('c'), object('c')));
  await expect(bad).rejects.toThrow('no');
  await Promise.all([good, last]);
  expect(store.get(ref('b'))).toBeUndefined();
  expect(seen.map((change) => change.object.metadata.name)).toEqual(['a', 'c']);
});

test('writes of one turn are committed together and see each other', async () => {
  let commits = 0;
  store.onCommit(() => void (commits += 1));
  await Promise.all([
    store.write((writer) => writer.put(ref('a'), object('a'))),
    store.write((writer) => expect(writer.get(ref('a'))).toBeDefined()),
  ]);
  expect(commits).toBe(1);
});

test('pages come in order of namespace and name, and go on after a key', async () => {
  await store.write((writer) => {
    for (const [namespace, name] of [
      ['b', 'x'],
      ['a', 'z'],
      ['a', 'y'],
    ] as const)
      writer.put({ resource: 'pods', namespace, name }, object(name));
  });
  const names = (after?: { namespace: string; name: string }) =>
    [...store.page({ resource: 'pods', namespace: '', limit: 0, ...(after && { after }) })].map(
      (body) => parseBody(body).metadata.name,
    );
  expect(names()).toEqual(['y', 'z', 'x']);
  expect(names({ namespace: 'a', name: 'y' })).toEqual(['z', 'x']);
  expect(store.count({ resource: 'pods', namespace: 'a', limit: 0 })).toBe(2);
});

test('dependents are found by the uid of their owner and no more once the reference is gone', async () => {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'uid-a' };
  const owned = object('b');
  await store.write((writer) =>
    writer.put(ref('b'), { ...owned, metadata: { ...owned.metadata, ownerReferences: [owner] } }),
  );
  expect(store.dependents('uid-a')).toEqual([ref('b')]);
  await store.write((writer) => writer.put(ref('b'), owned));
  expect(store.dependents('uid-a')).toEqual([]);
});

test('what was acknowledged is there after the writing process was killed', async () => {
  const file = join(folder, 'killed.db');
  const child = spawn(process.execPath, [fileURLToPath(new URL('./write-until-killed.ts', import.meta.url)), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let acknowledged = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line);
    if (acknowledged >= 200) break;
  }
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  const reopened = openObjectStore(file);
  const kept = reopened.count({ resource: 'pods', namespace: '', limit: 0 });
  expect(kept).toBeGreaterThanOrEqual(acknowledged);
  // Every write of that process is one object, so nothing may be missing in between either.
  expect(reopened.revision()).toBe(1 + kept);
  reopened.close();
}, 20_000);

test('a second store on the same file is refused', () => {
  expect(() => openObjectStore(join(folder, 'objects.db'))).toThrow(/Cannot open database/);
});

function ref(name: string) {
  return { resource: 'pods', namespace: 'default', name };
}

function object(name: string): KubeObject {
  const metadata = { name, uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion: 'v1', kind: 'Pod', metadata };
}
