import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OperatorError } from '@fenestra/kernel';
import type { Logger } from '@fenestra/platform';
import { beforeEach, expect, test } from 'vitest';
import { openStore } from '../testing/open-store.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openChecksums } from './checksums.ts';
import type { MetaStore } from './meta-store.ts';
import { outboxTable } from './outbox-table.ts';

// Long enough that most changed bytes are in a value.
const PADDING = 'x'.repeat(3000);
const SECRETS = { group: '', version: 'v1', plural: 'secrets' };

let file = '';
let logged: unknown[] = [];

beforeEach(() => {
  file = join(temporaryFolder(), 'edgecore.db');
  logged = [];
});

test('a row that changed on the disk is set aside and named, and the others stay', () => {
  fill(['a', 'b']);
  execute(`PRAGMA recursive_triggers = 0; DROP TRIGGER fenestra_changed_meta_v2_UPDATE;
    UPDATE meta_v2 SET value = 'other' WHERE name = 'a';`);
  execute(`CREATE TRIGGER fenestra_changed_meta_v2_UPDATE AFTER UPDATE ON meta_v2 BEGIN
    DELETE FROM fenestra_checksum WHERE source = 'meta_v2' AND key = old.key; END`);
  const store = open();
  expect(store.listObjects(SECRETS).map(({ name }) => name)).toEqual(['b']);
  expect(store.getObject(SECRETS, 'default', 'a')).toBeUndefined();
  expect(store.getMeta('default/secret/a')?.value).toBe('value of a');
  store.close();
  expect(logged).toEqual([expect.objectContaining({ table: 'meta_v2', key: expect.stringContaining('a') })]);
  expect(select('SELECT source, row FROM fenestra_damaged')).toEqual([
    { source: 'meta_v2', row: expect.stringContaining('other') },
  ]);
});

test('rows of an older version and of another agent get a checksum, also after one that changed them', () => {
  fill(['a']);
  execute(`UPDATE meta SET value = 'from upstream'; INSERT INTO meta VALUES ('new', 'secret', 'too')`);
  const store = open();
  expect(store.getMeta('default/secret/a')?.value).toBe('from upstream');
  expect(store.getMeta('new')?.value).toBe('too');
  store.close();
  expect(logged).toEqual([]);
  expect(select(`SELECT count(*) AS count FROM fenestra_checksum WHERE source = 'meta'`)).toEqual([{ count: 2 }]);
});

test('a table that another agent made again, without our triggers, is believed', () => {
  fill(['a']);
  execute(`CREATE TABLE copy AS SELECT * FROM meta; DROP TABLE meta; ALTER TABLE copy RENAME TO meta;
    UPDATE meta SET value = 'changed'`);
  const store = open();
  expect(store.getMeta('default/secret/a')?.value).toBe('changed');
  store.close();
  expect(logged).toEqual([]);
});

test('a damaged message that a full disk keeps in its place is passed and named once', () => {
  fill(['a']);
  const spared = openStore(file);
  spared.putWaiting('next', 'sound');
  spared.close();
  execute(`DROP TRIGGER fenestra_changed_fenestra_outbox_UPDATE;
    UPDATE fenestra_outbox SET message = 'other' WHERE key = 'status'`);
  const database = new DatabaseSync(file);
  // What SQLite throws on a full disk.
  const full = new OperatorError('DISK_FULL', 'Cannot write', { hint: 'h' });
  database.function('full', () => {
    throw full;
  });
  database.exec('CREATE TEMP TRIGGER full BEFORE INSERT ON fenestra_damaged BEGIN SELECT full(); END');
  const outbox = outboxTable(
    database,
    openChecksums(database, logger(), () => new Date()),
    10,
  );
  for (let read = 0; read < 2; read += 1) expect(outbox.firstWaiting()?.message).toBe('sound');
  database.close();
  expect(logged).toEqual([{ table: 'fenestra_outbox', key: 'status' }]);
});

test('a damaged write-ahead log loses nothing that was on the disk', () => {
  fill(['a']);
  const store = open();
  for (const name of ['b', 'c', 'd', 'e'])
    store.putMeta({ key: `default/secret/${name}`, type: 'secret', value: name });
  const [database, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
  store.close();
  writeFileSync(file, database);
  log[32 + 24 + 100] = (log[32 + 24 + 100] ?? 0) ^ 1;
  writeFileSync(`${file}-wal`, log);
  const again = open();
  expect(['b', 'c', 'd', 'e'].map((name) => again.getMeta(`default/secret/${name}`)?.value)).toEqual([
    'b',
    'c',
    'd',
    'e',
  ]);
  again.close();
  expect(logged).toEqual([{ damagedLog: expect.stringContaining('-wal.damaged-') }]);
});

test('no changed byte is ever served', () => {
  const names = ['a', 'b', 'c', 'd'];
  fill(names, PADDING);
  const intact = readFileSync(file);
  // A prime step, so that every part of a page is reached.
  for (let at = 0; at < intact.length; at += 997) {
    writeFileSync(file, intact);
    overwrite(at, Buffer.from([(intact[at] ?? 0) ^ (1 << (at % 8))]));
    const store = openOrRefuse();
    if (!store) continue;
    for (const name of names) {
      const written = [undefined, `value of ${name}${PADDING}`];
      expect(written).toContain(store.getMeta(`default/secret/${name}`)?.value);
      expect(written).toContain(store.getObject(SECRETS, 'default', name)?.value);
    }
    for (const { name, value } of store.listObjects(SECRETS)) expect(value).toBe(`value of ${name}${PADDING}`);
    expect([undefined, 'message']).toContain(store.firstWaiting()?.message);
    expect([undefined, 'uid']).toContain(store.getDeletion('gone')?.uid);
    store.close();
  }
}, 60_000);

function openOrRefuse(): MetaStore | undefined {
  try {
    return open();
  } catch (error) {
    expect(error).toMatchObject({ name: 'OperatorError' });
    return undefined;
  }
}

function open(): MetaStore {
  return openStore(file, { log: logger() });
}

function logger(): Logger {
  const log: Logger = {
    debug() {},
    info() {},
    warn() {},
    error: (_message, fields) => void logged.push(fields),
    with: () => log,
  };
  return log;
}

function fill(names: readonly string[], padding = ''): void {
  const store = open();
  for (const name of names) {
    const value = `value of ${name}${padding}`;
    store.putMeta({ key: `default/secret/${name}`, type: 'secret', value });
    store.putObject({ kind: SECRETS, namespace: 'default', name, resourceVersion: 7n, value });
  }
  store.putWaiting('status', 'message');
  store.putDeletion('gone', { uid: 'uid', createdAt: undefined, resourceVersion: 3n });
  store.close();
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

function select(sql: string): readonly unknown[] {
  const database = new DatabaseSync(file);
  const rows = database.prepare(sql).all();
  database.close();
  return rows.map((row) => ({ ...row }));
}
