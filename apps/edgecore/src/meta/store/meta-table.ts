import type { DatabaseSync } from 'node:sqlite';
import type { MetaRecord, MetaStore } from './meta-store.ts';
import { prepareStatement, type Row, textIn } from './statement.ts';

/** Table `meta`: what came under a wire resource string. */
export function metaTable(database: DatabaseSync): Pick<MetaStore, 'getMeta' | 'listMetas' | 'putMeta' | 'deleteMeta'> {
  const get = prepareStatement(database, 'SELECT key, type, value FROM meta WHERE key = ?');
  const list = prepareStatement(database, 'SELECT key, type, value FROM meta WHERE type = ? ORDER BY key');
  const put = prepareStatement(database, 'INSERT OR REPLACE INTO meta (key, type, value) VALUES (?, ?, ?)');
  const remove = prepareStatement(database, 'DELETE FROM meta WHERE key = ?');
  return {
    getMeta: (key) => {
      const row = get.get(key);
      return row && toRecord(row);
    },
    listMetas: (type) => list.all(type).map(toRecord),
    putMeta: ({ key, type, value }) => void put.run(key, type, value),
    deleteMeta: (key) => void remove.run(key),
  };
}

function toRecord(row: Row): MetaRecord {
  return { key: textIn(row, 'key'), type: textIn(row, 'type'), value: textIn(row, 'value') };
}
