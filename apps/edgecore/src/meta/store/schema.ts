import type { DatabaseSync } from 'node:sqlite';
import { prepareChecksums } from './checked-tables.ts';

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
    sequence integer PRIMARY KEY AUTOINCREMENT, key text UNIQUE, message text);`;

const INDEXES = `
  CREATE INDEX IF NOT EXISTS fenestra_meta_type ON meta (type);
  CREATE INDEX IF NOT EXISTS fenestra_meta_v2_kind ON meta_v2 (group_version_resource, namespace);`;

/** Columns of `meta_v2` that older upstream versions called otherwise. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['group_version_resource', 'groupversionresource'],
  ['resource_version', 'resourceversion'],
]);

/** Makes the tables that are missing, and the columns an older upstream did not have yet, keeping every row. */
export function prepareSchema(database: DatabaseSync): void {
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
