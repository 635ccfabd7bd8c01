import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { adoptUpstreamObjects } from '../stored-object.ts';
import { openStore } from '../testing/open-store.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const PODS = { group: '', version: 'v1', plural: 'pods' };
const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps' };

test('a new store has the tables and columns of upstream', () => {
  const file = join(temporaryFolder(), 'sub', 'edgecore.db');
  openStore(file).close();
  const database = new DatabaseSync(file);
  const columns = (table: string): unknown[] =>
    database
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name, pk }) => (pk === 0 ? name : `${String(name)} (key)`));
  expect(Object.fromEntries(TABLES.map((table) => [table, columns(table)]))).toMatchInlineSnapshot(`
    {
      "device": [
        "id (key)",
        "name",
        "description",
        "state",
        "last_online",
      ],
      "device_attr": [
        "id (key)",
        "deviceid",
        "name",
        "description",
        "value",
        "optional",
        "attr_type",
        "metadata",
      ],
      "device_twin": [
        "id (key)",
        "deviceid",
        "name",
        "description",
        "expected",
        "actual",
        "expected_meta",
        "actual_meta",
        "expected_version",
        "actual_version",
        "optional",
        "attr_type",
        "metadata",
      ],
      "meta": [
        "key (key)",
        "type",
        "value",
      ],
      "meta_v2": [
        "key (key)",
        "group_version_resource",
        "namespace",
        "name",
        "resource_version",
        "value",
      ],
      "sub_topics": [
        "topic (key)",
      ],
      "target_urls": [
        "url (key)",
      ],
    }
  `);
  database.close();
});

test('a store and its side files are private', () => {
  const folder = temporaryFolder();
  const store = openStore(join(folder, 'edgecore.db'));
  store.putMeta({ key: 'default/secret/s', type: 'secret', value: '{}' });
  const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
  expect(modes).toEqual([
    ['edgecore.db', '600'],
    ['edgecore.db-shm', '600'],
    ['edgecore.db-wal', '600'],
  ]);
  store.close();
});

test('a database of upstream keeps its rows, and objects it had in "meta" only are found by kind', () => {
  const file = join(temporaryFolder(), 'edgecore.db');
  const upstream = new DatabaseSync(file);
  upstream.exec('CREATE TABLE `meta` (`key` text,`type` text,`value` text,PRIMARY KEY (`key`))');
  upstream.exec(
    'CREATE TABLE `meta_v2` (`key` text,`group_version_resource` text,`namespace` text,`name` text,`resource_version` integer,`value` text,PRIMARY KEY (`key`))',
  );
  const pod = { metadata: { name: 'web', namespace: 'default', resourceVersion: '18446744073709551615', uid: 'u' } };
  upstream.prepare('INSERT INTO meta VALUES (?, ?, ?)').run('default/pod/web', 'pod', JSON.stringify(pod));
  upstream.prepare('INSERT INTO meta VALUES (?, ?, ?)').run('default/podpatch/web', 'podpatch', '{"status":{}}');
  upstream.close();

  const store = openStore(file);
  expect(adoptUpstreamObjects(store)).toBe(1);
  expect(adoptUpstreamObjects(store)).toBe(0);
  expect(JSON.parse(store.getObject(PODS, 'default', 'web')?.value ?? '')).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    ...pod,
  });
  expect(store.getMeta('default/podpatch/web')?.value).toBe('{"status":{}}');
  store.close();
});

test('a database of an older upstream, with other column names, keeps its objects', () => {
  const file = join(temporaryFolder(), 'edgecore.db');
  const upstream = new DatabaseSync(file);
  upstream.exec(`CREATE TABLE "meta_v2" ("key" varchar(256) NOT NULL PRIMARY KEY,
    "groupversionresource" varchar(256) NOT NULL DEFAULT '', "namespace" varchar(256) NOT NULL DEFAULT '',
    "name" varchar(256) NOT NULL DEFAULT '', "resourceversion" integer NOT NULL DEFAULT 0, "value" text NOT NULL DEFAULT '')`);
  upstream
    .prepare('INSERT INTO meta_v2 VALUES (?, ?, ?, ?, ?, ?)')
    .run('/core/v1/pods/default/web', '/v1, Resource=pods', 'default', 'web', 7, '{}');
  upstream.close();

  const store = openStore(file);
  expect(store.listObjects(PODS)).toEqual([
    { kind: PODS, namespace: 'default', name: 'web', resourceVersion: 7n, value: '{}' },
  ]);
  store.putObject({ kind: PODS, namespace: 'default', name: 'db', resourceVersion: 8n, value: '{}' });
  expect(store.listObjects(PODS, 'default')).toHaveLength(2);
  store.close();
});

test('a store that was killed while writing opens clean and has everything that was acknowledged', async () => {
  const file = join(temporaryFolder(), 'edgecore.db');
  for (let round = 0; round < 3; round += 1) {
    const acknowledged = await writeAndKill(file, 20 + round * 37);
    const store = openStore(file);
    const pairs = store.listObjects(CONFIG_MAPS).map(({ name, resourceVersion, value }) => {
      expect(store.getMeta(`default/configmap/${name}`)?.value).toBe(value);
      return resourceVersion;
    });
    expect(pairs.some((version) => version >= acknowledged)).toBe(true);
    store.close();
    const database = new DatabaseSync(file);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
  }
});

test('a damaged database is set aside and a new one begun', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'edgecore.db');
  writeFileSync(file, 'this is not a database, but it is long enough to be read as the header of one'.repeat(20));
  const store = openStore(file, { now: () => new Date('2026-01-02T03:04:05.678Z') });
  store.putMeta({ key: 'k', type: 't', value: 'v' });
  store.close();
  expect(readdirSync(folder)).toEqual(['edgecore.db', 'edgecore.db.damaged-2026-01-02T03-04-05-678Z']);
});

test('a database that cannot be opened is a catalogue error', () => {
  const folder = temporaryFolder();
  expect(() => openStore(folder)).toThrow(expect.objectContaining({ code: 'FILE_FAILED' }));
});

test('a transaction that throws leaves nothing behind', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  expect(() =>
    store.transaction(() => {
      store.putMeta({ key: 'k', type: 't', value: 'v' });
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(store.getMeta('k')).toBeUndefined();
  store.close();
});

test('the outbox keeps the order, replaces by key and drops the oldest beyond its limit', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'), { outboxLimit: 3 });
  expect(['a', 'b', 'a', 'c'].map((key, index) => store.putWaiting(key, `${key}${index}`))).toEqual([0, 0, 0, 0]);
  expect(store.putWaiting('d', 'd4')).toBe(1);
  const seen: string[] = [];
  for (let next = store.firstWaiting(); next !== undefined; next = store.firstWaiting()) {
    seen.push(next.message);
    store.removeWaiting(next);
  }
  expect(seen).toEqual(['a2', 'c3', 'd4']);
  store.close();
});

test('an entry that was replaced while it was sent stays in the outbox', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'));
  store.putWaiting('status', 'old');
  const sending = store.firstWaiting();
  store.putWaiting('status', 'new');
  if (sending !== undefined) store.removeWaiting(sending);
  expect(store.firstWaiting()?.message).toBe('new');
  store.close();
});

test('only the latest deletions are remembered', () => {
  const store = openStore(join(temporaryFolder(), 'edgecore.db'), { deletionLimit: 2 });
  for (const key of ['a', 'b', 'c']) store.putDeletion(key, { resourceVersion: 5n, uid: key });
  expect(['a', 'b', 'c'].map((key) => store.getDeletion(key)?.uid)).toEqual([undefined, 'b', 'c']);
  store.close();
});

const TABLES = ['meta', 'meta_v2', 'device', 'device_attr', 'device_twin', 'sub_topics', 'target_urls'];

async function writeAndKill(file: string, after: number): Promise<bigint> {
  const program = fileURLToPath(import.meta.resolve('../testing/write-until-killed.ts'));
  const child = spawn(process.execPath, ['--no-warnings', program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let acknowledged = 0n;
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = BigInt(line);
    seen += 1;
    if (seen === after) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return acknowledged;
}

test('a database that everybody could read becomes private, with its side files', () => {
  const file = join(temporaryFolder(), 'edgecore.db');
  const before = openStore(file);
  before.putMeta({ key: 'default/secret/s', type: 'secret', value: '{}' });
  const paths = [file, `${file}-wal`, `${file}-shm`];
  for (const path of paths) chmodSync(path, 0o644);
  const store = openStore(file);
  expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
  store.close();
  before.close();
});
