import type { DatabaseSync } from 'node:sqlite';
import { type Checksums, selectChecked } from './checksums.ts';
import type { MetaRecord, MetaStore } from './meta-store.ts';
import { prepareStatement, type Row, textIn } from './statement.ts';
import { inTransaction } from './transaction.ts';

/** Table `meta`: what came under a wire resource string. */
export function metaTable(
  database: DatabaseSync,
  checksums: Checksums,
): Pick<MetaStore, 'getMeta' | 'listMetas' | 'putMeta' | 'deleteMeta'> {
  const get = prepareStatement(database, selectChecked('meta', 'WHERE meta.key = ?'));
  const list = prepareStatement(database, selectChecked('meta', 'WHERE type = ? ORDER BY meta.key'));
  const put = prepareStatement(database, 'INSERT OR REPLACE INTO meta (key, type, value) VALUES (?, ?, ?)');
  const remove = prepareStatement(database, 'DELETE FROM meta WHERE key = ?');
  return {
    getMeta: (key) => {
      const [row] = checksums.sound('meta', get.all(key));
      return row && toRecord(row);
    },
    listMetas: (type) => checksums.sound('meta', list.all(type)).map(toRecord),
    putMeta: (record) =>
      inTransaction(database, () => {
        put.run(record.key, record.type, record.value);
        checksums.mark('meta', { ...record });
      }),
    deleteMeta: (key) => void remove.run(key),
  };
}

function toRecord(row: Row): MetaRecord {
  return { key: textIn(row, 'key'), type: textIn(row, 'type'), value: textIn(row, 'value') };
}
