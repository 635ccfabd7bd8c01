import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { handlerOf, type Step } from '@fenestra/kernel';
import { linuxHost, posixAccessControl, posixFileStore, supervisedServices } from '@fenestra/platform-linux';
import { STEP_HANDLERS } from '@fenestra/steps';
import type { StepPorts } from '@fenestra/session';
import { afterEach, beforeEach, expect, test } from 'vitest';

const { signal } = new AbortController();
let folder: string;

beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'database-'))));
afterEach(async () => rm(folder, { recursive: true }));

function context() {
  const ports: StepPorts = {
    host: linuxHost(),
    secrets: new Map(),
    files: posixFileStore(),
    access: posixAccessControl(),
    services: supervisedServices({ stateFolder: join(folder, 'supervisor'), supervisorCommand: [] }),
  };
  return { ports, progress: () => {}, say: () => {} };
}

function change(sql: string): void {
  using database = new DatabaseSync(join(folder, 'edgecore.db'));
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(sql);
}

function rows(): readonly unknown[] {
  using database = new DatabaseSync(join(folder, 'edgecore.db'), { readOnly: true });
  return database
    .prepare('SELECT name FROM thing ORDER BY name')
    .all()
    .map(({ name }) => name);
}

const step: () => Step = () => ({
  kind: 'snapshot-database',
  database: join(folder, 'edgecore.db'),
  to: join(folder, 'kept.db'),
});

async function snapshotThen(newVersion: () => void): Promise<void> {
  const handler = handlerOf(STEP_HANDLERS, step());
  const before = await handler.prepare(step(), context(), signal);
  await handler.apply(step(), before, context(), signal);
  newVersion();
  await handler.revert(step(), before, context(), signal);
}

test('what the new version has learnt is kept where the old one can read it', async () => {
  change(`CREATE TABLE thing (name TEXT); ALTER TABLE thing ADD COLUMN size INT; INSERT INTO thing VALUES ('old', 1)`);
  await snapshotThen(() => change(`INSERT INTO thing VALUES ('learnt', 2)`));
  expect(rows()).toEqual(['learnt', 'old']);
  expect(existsSync(join(folder, 'kept.db'))).toBe(false);
});

test('a database that the new version has laid out again comes back as it was', async () => {
  change(`CREATE TABLE thing (name TEXT); INSERT INTO thing VALUES ('old')`);
  await snapshotThen(() => change('DROP TABLE thing; CREATE TABLE things (name TEXT)'));
  expect(rows()).toEqual(['old']);
});

test('a database that was not there before goes again', async () => {
  await snapshotThen(() => change('CREATE TABLE thing (name TEXT)'));
  expect(existsSync(join(folder, 'edgecore.db'))).toBe(false);
  expect(existsSync(join(folder, 'edgecore.db-wal'))).toBe(false);
});

test('a file that is not a database any more comes back as it was', async () => {
  change(`CREATE TABLE thing (name TEXT); INSERT INTO thing VALUES ('old')`);
  const handler = handlerOf(STEP_HANDLERS, step());
  const before = await handler.prepare(step(), context(), signal);
  await handler.apply(step(), before, context(), signal);
  await writeFile(join(folder, 'edgecore.db'), 'garbage');
  await handler.revert(step(), before, context(), signal);
  expect(rows()).toEqual(['old']);
});

test('a snapshot that could not be taken leaves the database and an earlier copy as they are', async () => {
  change('CREATE TABLE thing (name TEXT)');
  const handler = handlerOf(STEP_HANDLERS, step());
  await handler.apply(step(), { existed: true }, context(), signal);
  change(`ALTER TABLE thing ADD COLUMN size INT; INSERT INTO thing VALUES ('new', 1)`);
  await handler.revert(step(), await handler.prepare(step(), context(), signal), context(), signal);
  expect(rows()).toEqual(['new']);
  expect(existsSync(join(folder, 'kept.db'))).toBe(true);
});

test('a copy that is the same as an earlier one is put back like any other', async () => {
  change(`CREATE TABLE thing (name TEXT); INSERT INTO thing VALUES ('old')`);
  await handlerOf(STEP_HANDLERS, step()).apply(step(), { existed: true }, context(), signal);
  await snapshotThen(() => change(`ALTER TABLE thing RENAME TO other`));
  expect(rows()).toEqual(['old']);
});
