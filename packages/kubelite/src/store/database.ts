import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileError, OperatorError } from '@fenestra/kernel';
import { repairLog } from '@fenestra/platform';
import { rebuild, type Rebuilt } from './rebuild.ts';
import { prepareSchema } from './schema.ts';
import { setDamagedAside, stillMissing, type DamagedObject } from './set-damaged-aside.ts';

// What SQLite says when its own tables, or a statement over them, do not make sense.
const ERROR = 1;
const BUSY = 5;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;
const BUSY_MILLISECONDS = 500;
const RESTORE = 'Restore the file from a backup. Do not delete it: an empty database deletes the pods of every node.';

/** An open database in which every object has been checked. */
export interface OpenedDatabase {
  readonly database: DatabaseSync;
  /** Objects that are missing because their stored form was damaged, now or at an earlier start. */
  readonly damaged: readonly DamagedObject[];
  /** Where the damaged file is that this one replaces. */
  readonly setAside?: string;
  /** Where the damaged write-ahead log is that was repaired. */
  readonly damagedLog?: string;
}

/**
 * Opens the database file, making it if it is not there. A commit that returned is on the disk itself.
 * The file is held alone: a second API on it could hand out the same version twice.
 * What is damaged is set aside: single objects in a table, a file whose pages are damaged as a whole.
 */
export function openDatabase(file: string, now: Date): OpenedDatabase {
  try {
    const suffix = `damaged-${now.toISOString().replaceAll(/[:.]/g, '-')}`;
    const damagedLog = `${file}-wal.${suffix}`;
    const { repaired, database } = openSound(file, damagedLog);
    const log = repaired ? { damagedLog } : {};
    if (database) return { ...checked(database, now), ...log };
    const setAside = `${file}.${suffix}`;
    replaceDamaged(file, setAside, now);
    return { ...checked(connect(file), now), setAside, ...log };
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    throw explained(file, cause);
  }
}

/** Without a database where the pages or indexes of the file are damaged. */
function openSound(file: string, damagedLog: string): { readonly repaired: boolean; readonly database?: DatabaseSync } {
  makePrivate(file);
  const { repaired, database } = connectRepaired(file, damagedLog);
  try {
    prepareSchema(database);
    const isSound = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] === 'ok';
    if (isSound) return { repaired, database };
  } catch (cause) {
    if (resultOf(cause) !== CORRUPT) {
      database.close();
      throw cause;
    }
  }
  database.close();
  return { repaired };
}

function connectRepaired(file: string, damagedLog: string): { readonly repaired: boolean; database: DatabaseSync } {
  const database = connect(file);
  try {
    const repaired = repairLog(database, file, damagedLog);
    return { repaired, database: repaired ? connect(file) : database };
  } catch (cause) {
    if (database.isOpen) database.close();
    throw cause;
  }
}

function connect(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_MILLISECONDS });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

function checked(database: DatabaseSync, now: Date): OpenedDatabase {
  try {
    setDamagedAside(database, now);
    return { database, damaged: stillMissing(database) };
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** Puts a file with everything that can be read in the place of the damaged one, in one move. */
function replaceDamaged(file: string, setAside: string, now: Date): void {
  const draft = `${file}.rebuilt`;
  for (const path of [draft, `${draft}-wal`]) rmSync(path, { force: true });
  makePrivate(draft);
  const damaged = connect(file);
  const fresh = connect(draft);
  try {
    prepareSchema(fresh);
    requireMost(file, rebuild(damaged, fresh, now));
    fresh.close();
    damaged.close();
    linkSync(file, setAside);
    // A log that could not be merged belongs to the damaged file; next to the new one it would be replayed into it.
    if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${setAside}-wal`);
    renameSync(draft, file);
  } finally {
    for (const database of [fresh, damaged]) if (database.isOpen) database.close();
    rmSync(draft, { force: true });
  }
}

/** Objects that are missing are deleted on the nodes: a database that lost most of them is not used. */
function requireMost(file: string, { kept, lost, complete }: Rebuilt): void {
  if (lost <= kept && (kept > 0 || complete)) return;
  const why = `the file is damaged, and only ${kept} of ${complete ? '' : 'at least '}${kept + lost} objects can be read`;
  throw new OperatorError('ASSET_INVALID', `Cannot open database "${file}": ${why}`, { hint: RESTORE });
}

/** SQLite gives its other files the rights of this one. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

/** SQLite's primary result code, where it is SQLite that failed. */
function resultOf(cause: unknown): number | undefined {
  if (!(cause instanceof Error) || !('errcode' in cause) || typeof cause.errcode !== 'number') return undefined;
  return cause.errcode & 0xff;
}

/** Whether SQLite could not write because the disk is full. */
export function isDiskFull(cause: unknown): boolean {
  return resultOf(cause) === FULL;
}

function explained(file: string, cause: unknown): OperatorError {
  const message = `Cannot open database "${file}"`;
  const result = resultOf(cause);
  if (result === BUSY) {
    const hint = 'Stop the other process that serves this folder, or start this one with a separate folder.';
    return new OperatorError('FILE_IN_USE', message, { hint, cause });
  }
  if (result === FULL) return new OperatorError('DISK_FULL', message, { hint: 'Free some space on this disk.', cause });
  if (result === ERROR || result === CORRUPT || result === NOT_A_DATABASE) {
    return new OperatorError('ASSET_INVALID', `${message}: the file is damaged`, { hint: RESTORE, cause });
  }
  return fileError(cause, `open database "${file}"`);
}
