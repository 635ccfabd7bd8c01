import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileError, OperatorError } from '@fenestra/kernel';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS objects (
  resource TEXT NOT NULL,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  uid TEXT NOT NULL,
  deleting INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (resource, namespace, name)
);
CREATE INDEX IF NOT EXISTS objects_by_uid ON objects (uid);
CREATE INDEX IF NOT EXISTS objects_deleting ON objects (resource) WHERE deleting = 1;
CREATE TABLE IF NOT EXISTS owners (
  owner TEXT NOT NULL,
  resource TEXT NOT NULL,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (owner, resource, namespace, name)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS owners_by_object ON owners (resource, namespace, name);
CREATE TABLE IF NOT EXISTS revision (id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER NOT NULL);
INSERT OR IGNORE INTO revision VALUES (1, 1);
PRAGMA user_version = 1;
`;

const BUSY = 5;
const BUSY_MILLISECONDS = 500;

/**
 * Opens the database file, making it if it is not there. A commit that returned is on the disk itself.
 * The file is held alone: a second API on it could hand out the same version twice.
 */
export function openDatabase(file: string): DatabaseSync {
  try {
    makePrivate(file);
    const database = new DatabaseSync(file, { timeout: BUSY_MILLISECONDS });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    database.exec(SCHEMA);
    return database;
  } catch (cause) {
    if (isBusy(cause)) throw inUse(file, cause);
    throw fileError(cause, `open database "${file}"`);
  }
}

/** SQLite gives its other files the rights of this one. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && 'errcode' in cause && cause.errcode === BUSY;
}

function inUse(file: string, cause: unknown): OperatorError {
  const hint = 'Stop the other process that serves this folder, or start this one with a folder of its own.';
  return new OperatorError('FILE_IN_USE', `Cannot open database "${file}"`, { hint, cause });
}
