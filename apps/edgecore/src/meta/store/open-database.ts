import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileError } from '@fenestra/kernel';
import { repairLog } from '@fenestra/platform';
import { prepareChecksums } from './checksums.ts';
import { databaseError, isDamaged } from './statement.ts';

const BUSY_TIMEOUT_MS = 5_000;
const WAL_LIMIT_BYTES = 4 * 1024 * 1024;
const VACUUM_FROM_PAGES = 1_000;
const PRIVATE = 0o600;

/** An open database, and where the damaged one that it replaces was put, if there was one. */
interface OpenedDatabase {
  readonly database: DatabaseSync;
  readonly setAside?: string;
  /** Where the damaged write-ahead log is that was repaired. */
  readonly damagedLog?: string;
}

/**
 * Opens the database, making the file (private) and its folder if they are missing. A damaged file is set aside and
 * a new one begun: an agent that cannot start at all could never get its objects from the cloud again.
 */
export function openDatabase(file: string, now: () => Date): OpenedDatabase {
  const suffix = `damaged-${now().toISOString().replaceAll(/[:.]/g, '-')}`;
  const damagedLog = `${file}-wal.${suffix}`;
  try {
    return openSound(file, damagedLog);
  } catch (cause) {
    if (!isDamaged(cause)) throw databaseError(cause, `open the database "${file}"`);
  }
  const setAside = `${file}.${suffix}`;
  setDamagedAside(file, setAside);
  try {
    return { ...openSound(file, damagedLog), setAside };
  } catch (cause) {
    throw databaseError(cause, `recreate the database "${file}"`);
  }
}

/** The file holds secrets; one that another agent made may have been open to everybody, and its side files with it. */
function createFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, 'a', PRIVATE));
    for (const path of [file, ...sideFiles(file).filter((side) => existsSync(side))]) chmodSync(path, PRIVATE);
  } catch (cause) {
    throw fileError(cause, `create the database "${file}"`);
  }
}

function openSound(file: string, damagedLog: string): OpenedDatabase {
  createFile(file);
  const database = connect(file);
  try {
    if (repairLog(database, file, damagedLog)) return { ...openSound(file, damagedLog), damagedLog };
    configure(database);
    prepareSchema(database);
    reclaimSpace(database);
    return { database };
  } catch (cause) {
    if (database.isOpen) database.close();
    throw cause;
  }
}

function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** FULL: what was acknowledged to the cloud must be here after a power cut too, since the cloud will not send it again. */
function configure(database: DatabaseSync): void {
  database.exec('PRAGMA synchronous = FULL');
  database.exec(`PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES}`);
  const damage = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (damage !== 'ok') throw Object.assign(new Error(`quick_check: ${String(damage)}`), { errcode: 11 });
  // An index that does not match its table hides rows; made again it is as good as the rows, which have checksums.
  if (database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] !== 'ok') database.exec('REINDEX');
}

/** Gives pages back to the disk when most of the file is empty. */
function reclaimSpace(database: DatabaseSync): void {
  const pages = Number(database.prepare('PRAGMA page_count').get()?.['page_count'] ?? 0);
  const free = Number(database.prepare('PRAGMA freelist_count').get()?.['freelist_count'] ?? 0);
  if (free > VACUUM_FROM_PAGES && free > pages / 2) database.exec('VACUUM');
}

function setDamagedAside(file: string, setAside: string): void {
  try {
    renameSync(file, setAside);
    // The log belongs to the damaged file; next to a new one it would be replayed into it.
    for (const side of sideFiles(file)) rmSync(side, { force: true });
  } catch (cause) {
    throw fileError(cause, `set the damaged database "${file}" aside`);
  }
}

/** SQLite gives files that it makes beside the main one the rights of that one. */
function sideFiles(file: string): readonly string[] {
  return ['-wal', '-shm'].map((side) => `${file}${side}`);
}

/**
 * Upstream's tables as its own migration makes them, so that either agent can open the other's file; and ours, which
 * upstream does not look at.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS meta (key text, type text, value text, PRIMARY KEY (key));
  CREATE TABLE IF NOT EXISTS meta_v2 (
    key text, group_version_resource text, namespace text, name text, resource_version integer, value text,
    PRIMARY KEY (key));
  CREATE TABLE IF NOT EXISTS device (
    id text, name text, description text, state text, last_online text, PRIMARY KEY (id));
  CREATE TABLE IF NOT EXISTS device_attr (
    id integer PRIMARY KEY AUTOINCREMENT, deviceid text, name text, description text, value text, optional numeric,
    attr_type text, metadata text);
  CREATE TABLE IF NOT EXISTS device_twin (
    id integer PRIMARY KEY AUTOINCREMENT, deviceid text, name text, description text, expected text, actual text,
    expected_meta text, actual_meta text, expected_version text, actual_version text, optional numeric, attr_type text,
    metadata text);
  CREATE TABLE IF NOT EXISTS sub_topics (topic text, PRIMARY KEY (topic));
  CREATE TABLE IF NOT EXISTS target_urls (url text, PRIMARY KEY (url));
  CREATE TABLE IF NOT EXISTS fenestra_deletion (
    sequence integer PRIMARY KEY AUTOINCREMENT, key text UNIQUE, uid text, created_at text, resource_version integer);
  CREATE TABLE IF NOT EXISTS fenestra_outbox (
    sequence integer PRIMARY KEY AUTOINCREMENT, key text UNIQUE, message text);
  CREATE TABLE IF NOT EXISTS fenestra_pod (key text, value text, PRIMARY KEY (key));
  CREATE TABLE IF NOT EXISTS fenestra_pod_token (key text, uid text, value text, PRIMARY KEY (key));`;

const INDEXES = `
  CREATE INDEX IF NOT EXISTS fenestra_meta_type ON meta (type);
  CREATE INDEX IF NOT EXISTS fenestra_meta_v2_kind ON meta_v2 (group_version_resource, namespace);`;

/** Columns of `meta_v2` that older upstream versions called otherwise. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['group_version_resource', 'groupversionresource'],
  ['resource_version', 'resourceversion'],
]);

/** Makes the tables that are missing, and the columns an older upstream did not have yet, keeping every row. */
function prepareSchema(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(TABLES);
    adoptRenamedColumns(database);
    database.exec(INDEXES);
    prepareChecksums(database);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function adoptRenamedColumns(database: DatabaseSync): void {
  const columns = new Set(
    database
      .prepare('PRAGMA table_info(meta_v2)')
      .all()
      .map((column) => column['name']),
  );
  for (const [name, formerName] of RENAMED) {
    if (!columns.has(name)) database.exec(`ALTER TABLE meta_v2 ADD COLUMN ${name}`);
    if (!columns.has(formerName)) continue;
    database.exec(`UPDATE meta_v2 SET ${name} = ${formerName} WHERE ${name} IS NULL`);
  }
}
