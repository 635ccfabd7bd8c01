import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KubeObject } from '../objects/kube-object.ts';
import type { Change } from '../store/commit-queue.ts';
import { openObjectStore, type ObjectStore } from '../store/object-store.ts';
import { createEventLines, typeSeen } from './event-lines.ts';
import { createWatchHub } from './watch-hub.ts';

let folder = '';
let store: ObjectStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubelite-watch-'));
  store = openObjectStore(join(folder, 'objects.db'));
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a watch goes on after the revision it names and misses nothing', async () => {
  const hub = createWatchHub(store);
  const first = await put('a', 1);
  await put('a', 2);
  const seen = watch(hub, Number(first.metadata.resourceVersion));
  await put('a', 3);
  expect(seen.map((change) => change.object['n'])).toEqual([2, 3]);
});

test('a watch of another resource sees nothing', async () => {
  const hub = createWatchHub(store);
  const seen: Change[] = [];
  hub.watch('nodes', store.revision(), { changed: (change) => void seen.push(change), ended() {} });
  await put('a', 1);
  expect(seen).toEqual([]);
});

test('a revision whose history was dropped is refused, and one within it is not', async () => {
  const hub = createWatchHub(store, { changes: 4, bytes: 1_000_000 });
  const start = store.revision();
  for (let n = 0; n < 10; n += 1) await put('a', n);
  expect(hub.watch('pods', start, { changed() {}, ended() {} })).toBeUndefined();
  expect(hub.remembers('pods', store.revision() - 1)).toBe(true);
});

test('a busy resource does not push out the history of a quiet one', async () => {
  const hub = createWatchHub(store, { changes: 4, bytes: 1_000_000 });
  const start = store.revision();
  for (let n = 0; n < 10; n += 1) await put('a', n);
  expect(hub.remembers('nodes', start)).toBe(true);
});

test('after a restart only the newest revision can be gone on from', async () => {
  await put('a', 1);
  await put('a', 2);
  const hub = createWatchHub(store);
  expect(hub.remembers('pods', store.revision())).toBe(true);
  expect(hub.remembers('pods', store.revision() - 1)).toBe(false);
});

test('every watcher gets the very same encoded line', async () => {
  const hub = createWatchHub(store);
  const lines = createEventLines();
  const got: Buffer[] = [];
  for (let n = 0; n < 3; n += 1)
    hub.watch('pods', store.revision(), {
      changed: (change) => void got.push(lines.line(change, change.type)),
      ended() {},
    });
  await put('a', 1);
  expect(got).toHaveLength(3);
  expect(got[1]).toBe(got[0]);
  expect(got[2]).toBe(got[0]);
});

test('an object that starts or stops matching is added or deleted for that watcher', async () => {
  const hub = createWatchHub(store);
  const seen = watch(hub, store.revision());
  for (const n of [1, 2, 3, 1]) await put('a', n);
  expect(seen.map((change) => typeSeen(change, big))).toEqual([undefined, 'ADDED', 'MODIFIED', 'DELETED']);
});

test('an ended resource reports its watchers', () => {
  const hub = createWatchHub(store);
  let ended = 0;
  hub.watch('pods', store.revision(), { changed() {}, ended: () => void (ended += 1) });
  hub.end('pods');
  hub.close();
  expect(ended).toBe(1);
});

test('a resource that was ended cannot be gone on from before its end', async () => {
  const hub = createWatchHub(store);
  const start = store.revision();
  await put('a', 1);
  hub.end('pods');
  expect(hub.remembers('pods', start)).toBe(false);
  expect(hub.remembers('pods', store.revision())).toBe(true);
});

function big(object: KubeObject): boolean {
  return Number(object['n']) > 1;
}

function watch(hub: ReturnType<typeof createWatchHub>, since: number): Change[] {
  const seen: Change[] = [];
  hub.watch('pods', since, { changed: (change) => void seen.push(change), ended() {} });
  return seen;
}

function put(name: string, n: number): Promise<KubeObject> {
  const metadata = { name, uid: name, resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' };
  const object: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata, n };
  return store.write((writer) => writer.put({ resource: 'pods', namespace: 'default', name }, object));
}
