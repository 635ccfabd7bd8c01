import type { DatabaseSync } from 'node:sqlite';

/** A table whose rows have checksums. Each has a unique column `key`. */
export type CheckedTable = 'fenestra_deletion' | 'fenestra_outbox' | 'meta' | 'meta_v2';

/** The columns that a checksum is over. */
export const CHECKED_TABLES: ReadonlyMap<CheckedTable, readonly string[]> = new Map([
  ['meta', ['key', 'type', 'value']],
  ['meta_v2', ['key', 'group_version_resource', 'namespace', 'name', 'resource_version', 'value']],
  ['fenestra_outbox', ['key', 'message']],
  ['fenestra_deletion', ['key', 'uid', 'created_at', 'resource_version']],
]);

const TABLES = `
  CREATE TABLE IF NOT EXISTS fenestra_checksum (
    source text, key text, checksum integer, PRIMARY KEY (source, key)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS fenestra_damaged (found text, source text, key text, row text);`;

/**
 * Makes the table of checksums. Triggers drop the checksum of a row that anyone changes, also upstream's agent, which
 * does not know of them. If such an agent has made a table again without its triggers, no checksum counts.
 */
export function prepareChecksums(database: DatabaseSync): void {
  database.exec(TABLES);
  const present = database.prepare(`SELECT count(*) AS count FROM sqlite_schema WHERE name LIKE 'fenestra_changed_%'`);
  const triggers = [...CHECKED_TABLES.keys()].flatMap((table) => [
    triggerText(table, 'INSERT', 'new'),
    triggerText(table, 'UPDATE', 'old'),
    triggerText(table, 'DELETE', 'old'),
  ]);
  if (Number(present.get()?.['count']) !== triggers.length) database.exec('DELETE FROM fenestra_checksum');
  for (const trigger of triggers) database.exec(trigger);
}

function triggerText(table: CheckedTable, event: 'DELETE' | 'INSERT' | 'UPDATE', row: 'new' | 'old'): string {
  return `CREATE TRIGGER IF NOT EXISTS fenestra_changed_${table}_${event} AFTER ${event} ON ${table} BEGIN
    DELETE FROM fenestra_checksum WHERE source = '${table}' AND key = ${row}.key; END`;
}
