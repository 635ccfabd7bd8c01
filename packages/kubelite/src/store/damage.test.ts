import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '@fenestra/kernel';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KubeObject } from '../objects/kube-object.ts';
import { objectRows } from './object-rows.ts';
import { openObjectStore, parseBody, type ObjectStore } from './object-store.ts';

const OLD_SCHEMA = `
CREATE TABLE objects (resource TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, uid TEXT NOT NULL,
  deleting INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (resource, namespace, name));
CREATE TABLE owners (owner TEXT NOT NULL, resource TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (owner, resource, namespace, name)) WITHOUT ROWID;
CREATE TABLE revision (id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER NOT NULL);
INSERT INTO revision VALUES (1, 7);
PRAGMA user_version = 1;
`;

let folder = '';
let file = '';
let logged: unknown[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubelite-damage-'));
  file = join(folder, 'objects.db');
  logged = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a database of the first version opens, and every object gets a checksum', () => {
  const database = new DatabaseSync(file);
  database.exec(OLD_SCHEMA);
  const insert = database.prepare('INSERT INTO objects VALUES (?, ?, ?, ?, 0, ?)');
  for (const name of ['a', 'b']) insert.run('pods', 'default', name, name, JSON.stringify(object(name, '3')));
  insert.run('pods', 'default', 'c', 'c', '{"metadata"');
  database.close();
  const store = open();
  expect(namesIn(store)).toEqual(['a', 'b']);
  expect(store.revision()).toBe(7);
  store.close();
  expect(logged).toEqual([expect.objectContaining({ resource: 'pods', namespace: 'default', name: 'c' })]);
  expect(select('SELECT count(*) AS count FROM objects WHERE checksum IS NULL')).toEqual([{ count: 0 }]);
});

test('what an older version wrote in between counts, whatever checksum it left', async () => {
  await fill(['a']);
  const changed = JSON.stringify(object('a', '9'));
  execute(`UPDATE objects SET body = '${changed}'; PRAGMA user_version = 1`);
  const store = open();
  expect(store.get(ref('a'))?.metadata.resourceVersion).toBe('9');
  store.close();
  expect(logged).toEqual([]);
});

test('an object that changed on the disk is set aside and named at every start until it is created again', async () => {
  await fill(['a', 'b']);
  execute(`UPDATE objects SET body = replace(body, 'uid-a', 'uid-x') WHERE name = 'a'`);
  for (let start = 0; start < 2; start += 1) {
    const store = open();
    expect(namesIn(store)).toEqual(['b']);
    store.close();
  }
  expect(logged).toEqual([expect.objectContaining({ name: 'a' }), expect.objectContaining({ name: 'a' })]);
  expect(String(select('SELECT CAST(body AS TEXT) AS body FROM damaged')[0]?.['body'])).toContain('uid-x');
  await fill(['a']);
  logged = [];
  open().close();
  expect(logged).toEqual([]);
});

test('an object that changes on the disk of a running cloud is an error, not an answer', async () => {
  await fill(['a', 'b']);
  execute(`UPDATE objects SET checksum = checksum + 1 WHERE name = 'a'`);
  const database = new DatabaseSync(file);
  const rows = objectRows(database);
  expect(() => rows.body(ref('a'))).toThrow('"a" of "pods" is damaged on the disk');
  expect(rows.body(ref('b'))).toContain('uid-b');
  expect(() => [...rows.page({ resource: 'pods', namespace: '', limit: 0 })]).toThrow('damaged');
  database.close();
});

test('a revision that changed on the disk is replaced by one that was never given out', async () => {
  await fill(['a', 'b']);
  execute('UPDATE revision SET value = 1');
  const store = open();
  expect(store.revision()).toBeGreaterThan(3);
  const next = await store.write((writer) => writer.put(ref('c'), object('c')));
  expect(Number(next.metadata.resourceVersion)).toBe(store.revision());
  store.close();
});

test('a file that is not a database is refused and kept', () => {
  writeFileSync(file, 'x'.repeat(8192));
  expect(() => open()).toThrow(OperatorError);
  expect(readFileSync(file, 'utf8')).toBe('x'.repeat(8192));
});

test('a damaged page costs only what was on it', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `pod-${String(index).padStart(2, '0')}`);
  await fill(names, 'x'.repeat(3000));
  overwrite(30 * 4096, Buffer.alloc(4096, 0xee));
  const store = open();
  const left = namesIn(store);
  store.close();
  expect(left.length).toBeGreaterThan(50);
  expect(lostNames().toSorted()).toEqual(names.filter((name) => !left.includes(name)));
  expect(readdirSync(folder).some((name) => name.startsWith('objects.db.damaged-'))).toBe(true);
  logged = [];
  const again = open();
  expect(namesIn(again)).toEqual(left);
  again.close();
  expect(lostNames()).toHaveLength(names.length - left.length);
});

test('what was set aside earlier is still named after a page was damaged', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `pod-${String(index).padStart(2, '0')}`);
  await fill(names, 'x'.repeat(3000));
  execute(`UPDATE objects SET checksum = checksum + 1 WHERE name = 'pod-59'`);
  open().close();
  overwrite(30 * 4096, Buffer.alloc(4096, 0xee));
  logged = [];
  open().close();
  expect(lostNames()).toContain('pod-59');
  expect(lostNames().length).toBeGreaterThan(1);
});

test('no damage of the write-ahead log costs more than the page that it is on', async () => {
  const { database, log } = await killedStore();
  let refused = 0;
  const frame = 24 + 4096;
  const inHeaders = [0, 8, 17, 24, ...[0, 3, 7, 8, 15, 16, 23].map((byte) => 32 + 9 * frame + byte)];
  const everyThird = Array.from({ length: Math.floor(log.length / frame / 3) - 2 }, (_, index) => 3 * index);
  const inPages = everyThird.map((index) => 32 + index * (frame + 61));
  for (const at of [...inHeaders, ...inPages]) {
    writeFileSync(file, database);
    const damaged = Buffer.from(log);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
    writeFileSync(`${file}-wal`, damaged);
    logged = [];
    const objects = openOrRefuse();
    if (!objects) refused += 1;
    if (!objects) continue;
    const found = new Map(objects.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
    const missing = KILLED.filter((name) => !found.has(name));
    expect([at, missing.filter((name) => !lostNames().includes(name))]).toEqual([at, []]);
    for (const name of KILLED.filter((kept) => found.has(kept)))
      expect(Number(found.get(name))).toBeGreaterThan(1 + KILLED.length);
  }
  // Only the header and the schema of the database cannot be done without.
  expect(refused).toBeLessThan(3);
  expect(logged).toContainEqual(expect.objectContaining({ damagedLog: expect.stringContaining('-wal.damaged-') }));
  expect(readdirSync(folder).some((name) => name.includes('-wal.damaged-'))).toBe(true);
}, 120_000);

test('a database of the first version with a damaged page keeps the objects of its other pages', () => {
  const names = Array.from({ length: 60 }, (_, index) => `pod-${String(index).padStart(2, '0')}`);
  fillFirstVersion(names);
  overwrite(30 * 4096, Buffer.alloc(4096));
  const store = open();
  const left = namesIn(store);
  expect(left.length).toBeGreaterThan(50);
  expect(left.length).toBeLessThan(60);
  expect(lostNames().toSorted()).toEqual(names.filter((name) => !left.includes(name)));
  expect(store.revision()).toBe(7);
  store.close();
});

test.each([['the objects'], ['the objects', 'their names']])(
  'a database without the root page of %s is refused',
  (...roots) => {
    fillFirstVersion(['a', 'b', 'c']);
    const tables = { 'the objects': 'objects', 'their names': 'sqlite_autoindex_objects_1' };
    const pages = Object.entries(tables).flatMap(([root, name]) =>
      roots.includes(root) ? select(`SELECT rootpage FROM sqlite_schema WHERE name = '${name}'`) : [],
    );
    for (const { rootpage } of pages) overwrite((Number(rootpage) - 1) * 4096, Buffer.alloc(4096));
    for (let start = 0; start < 2; start += 1) expect(openOrRefuse()).toBeUndefined();
    expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(['objects.db']);
  },
);

test('no changed byte is ever served: an object is as it was, or it is named as lost', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `pod-${index}`);
  await fill(names, 'x'.repeat(700));
  const before = new Map([...everything()].map((one) => [one.metadata.name, one]));
  const intact = readFileSync(file);
  let refused = 0;
  // A prime step, so that every part of a page is reached.
  for (let at = 0; at < intact.length; at += 487) {
    writeFileSync(file, intact);
    overwrite(at, Buffer.from([(intact[at] ?? 0) ^ (1 << (at % 8))]));
    logged = [];
    const found = openOrRefuse();
    if (!found) refused += 1;
    if (!found) continue;
    for (const one of found) expect(one).toEqual(before.get(one.metadata.name));
    const missing = names.filter((name) => !found.some((one) => one.metadata.name === name));
    expect([at, missing.filter((name) => !lostNames().includes(name))]).toEqual([at, []]);
  }
  // Only the header and the schema cannot be done without.
  expect(refused).toBeLessThan(5);
}, 120_000);

function openOrRefuse(): readonly KubeObject[] | undefined {
  try {
    return everything();
  } catch (error) {
    expect(error).toMatchObject({ code: 'ASSET_INVALID' });
    return undefined;
  }
}

function everything(): readonly KubeObject[] {
  const store = open();
  try {
    return [...store.page({ resource: 'pods', namespace: '', limit: 0 })].map(parseBody);
  } finally {
    store.close();
  }
}

function open(): ObjectStore {
  const log = { error: (_message: string, fields?: object) => void logged.push(fields), info() {} };
  return openObjectStore(file, { log });
}

async function fill(names: readonly string[], padding = ''): Promise<void> {
  const store = open();
  for (const name of names) await store.write((writer) => writer.put(ref(name), { ...object(name), padding }));
  store.close();
}

const KILLED = Array.from({ length: 12 }, (_, index) => `pod-${index}`);

/** The files of a store that was killed after it had written every object twice, one commit each. */
async function killedStore(): Promise<{ readonly database: Buffer; readonly log: Buffer }> {
  const store = open();
  for (const padding of ['x'.repeat(700), 'y'.repeat(700)])
    for (const name of KILLED) await store.write((writer) => writer.put(ref(name), { ...object(name), padding }));
  const files = { database: readFileSync(file), log: readFileSync(`${file}-wal`) };
  store.close();
  return files;
}

function fillFirstVersion(names: readonly string[]): void {
  const database = new DatabaseSync(file);
  database.exec(OLD_SCHEMA);
  const insert = database.prepare('INSERT INTO objects VALUES (?, ?, ?, ?, 0, ?)');
  const padding = 'x'.repeat(3000);
  for (const name of names)
    insert.run('pods', 'default', name, name, JSON.stringify({ ...object(name, '3'), padding }));
  database.close();
}

function namesIn(store: ObjectStore): readonly string[] {
  return [...store.page({ resource: 'pods', namespace: '', limit: 0 })].map((body) => parseBody(body).metadata.name);
}

function lostNames(): readonly string[] {
  return logged.flatMap((fields) =>
    typeof fields === 'object' && fields !== null && 'name' in fields ? [String(fields.name)] : [],
  );
}

function overwrite(at: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
}

function execute(sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

function select(sql: string): readonly Readonly<Record<string, unknown>>[] {
  const database = new DatabaseSync(file);
  const rows = database.prepare(sql).all();
  database.close();
  return rows;
}

function ref(name: string) {
  return { resource: 'pods', namespace: 'default', name };
}

function object(name: string, resourceVersion = ''): KubeObject {
  const creationTimestamp = '2026-01-01T00:00:00Z';
  const metadata = { name, namespace: 'default', uid: `uid-${name}`, resourceVersion, creationTimestamp };
  return { apiVersion: 'v1', kind: 'Pod', metadata };
}
