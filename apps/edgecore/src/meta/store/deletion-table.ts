import type { DatabaseSync } from 'node:sqlite';
import type { Edition } from '../precedence.ts';
import { type Checksums, selectChecked } from './checksums.ts';
import type { MetaStore } from './meta-store.ts';
import { prepareStatement, type Row, textIn } from './statement.ts';
import { inTransaction } from './transaction.ts';

const GET = selectChecked('fenestra_deletion', 'WHERE fenestra_deletion.key = ?');
const PUT = 'INSERT OR REPLACE INTO fenestra_deletion (key, uid, created_at, resource_version) VALUES (?, ?, ?, ?)';
const TRIM = 'DELETE FROM fenestra_deletion WHERE sequence <= (SELECT max(sequence) FROM fenestra_deletion) - ?';

/** What was deleted, so that an old message that comes again cannot bring it back. Only the latest are kept. */
export function deletionTable(
  database: DatabaseSync,
  checksums: Checksums,
  limit: number,
): Pick<MetaStore, 'getDeletion' | 'putDeletion' | 'forgetDeletion'> {
  const get = prepareStatement(database, GET);
  const put = prepareStatement(database, PUT);
  const trim = prepareStatement(database, TRIM);
  const forget = prepareStatement(database, 'DELETE FROM fenestra_deletion WHERE key = ?');
  return {
    getDeletion: (key) => {
      const [row] = checksums.sound('fenestra_deletion', get.all(key));
      return row && toEdition(row);
    },
    putDeletion: (key, { uid = null, createdAt = null, resourceVersion = null }) =>
      inTransaction(database, () => {
        put.run(key, uid, createdAt, resourceVersion);
        checksums.mark('fenestra_deletion', { key, uid, created_at: createdAt, resource_version: resourceVersion });
        trim.run(limit);
      }),
    forgetDeletion: (key) => void forget.run(key),
  };
}

function toEdition(row: Row): Edition {
  const version = row['resource_version'];
  return {
    resourceVersion: typeof version === 'bigint' ? version : undefined,
    uid: textIn(row, 'uid') || undefined,
    createdAt: textIn(row, 'created_at') || undefined,
  };
}
