import type { DatabaseSync } from 'node:sqlite';

const VERSION = 2;

const TABLES = `
CREATE TABLE IF NOT EXISTS objects (
  resource TEXT NOT NULL,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  uid TEXT NOT NULL,
  deleting INTEGER NOT NULL,
  body TEXT NOT NULL,
  checksum INTEGER,
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
CREATE TABLE IF NOT EXISTS damaged (
  found TEXT NOT NULL,
  reason TEXT NOT NULL,
  resource TEXT NOT NULL,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  body
);
CREATE TABLE IF NOT EXISTS revision (id INTEGER PRIMARY KEY CHECK (id = 1), value INTEGER NOT NULL, checksum INTEGER);
INSERT OR IGNORE INTO revision (id, value) VALUES (1, 1);
`;

/** Makes the tables, or brings those of an older version up to date. A current database is not written to: its disk may be full. */
export function prepareSchema(database: DatabaseSync): void {
  if (isCurrent(database)) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec(TABLES);
    // An older version that ran in between has changed rows and left their checksums: none of them counts.
    for (const table of ['objects', 'revision']) {
      if (!hasChecksum(database, table)) database.exec(`ALTER TABLE ${table} ADD COLUMN checksum INTEGER`);
      database.exec(`UPDATE ${table} SET checksum = NULL`);
    }
    database.exec(`PRAGMA user_version = ${VERSION}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Whether the checksums in the tables count. */
export function isCurrent(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA user_version').get()?.['user_version'] === VERSION;
}

function hasChecksum(database: DatabaseSync, table: string): boolean {
  const columns = database.prepare(`PRAGMA table_info(${table})`).all();
  return columns.some((column) => column['name'] === 'checksum');
}
