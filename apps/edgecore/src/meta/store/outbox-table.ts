import type { DatabaseSync } from 'node:sqlite';
import type { Edition } from '../precedence.ts';
import { checkedTable, type Checksums, selectChecked } from './checksums.ts';
import type { MetaStore } from './meta-store.ts';
import { integerIn, inTransaction, prepareStatement, type Row, textIn } from './statement.ts';

const FIRST = selectChecked('fenestra_outbox', 'WHERE sequence > ? ORDER BY sequence LIMIT 1');
const TRIM = `DELETE FROM fenestra_outbox WHERE sequence IN (
  SELECT sequence FROM fenestra_outbox ORDER BY sequence DESC LIMIT -1 OFFSET ?)`;

type OutboxMethods = 'putWaiting' | 'firstWaiting' | 'countWaiting' | 'removeWaiting';

/** What waits for the cloud, in the order it was said. Beyond the limit the oldest go. */
export function outboxTable(
  database: DatabaseSync,
  checksums: Checksums,
  limit: number,
): Pick<MetaStore, OutboxMethods> {
  const rows = checkedTable(database, checksums, 'fenestra_outbox');
  const trim = prepareStatement(database, TRIM);
  const first = prepareStatement(database, FIRST);
  const count = prepareStatement(database, 'SELECT count(*) AS entries FROM fenestra_outbox');
  const remove = prepareStatement(database, 'DELETE FROM fenestra_outbox WHERE sequence = ?');
  const firstSound = () => {
    // A damaged row stays if the disk is too full to set it aside.
    for (let last = 0n; ;) {
      const row = first.get(last);
      if (row === undefined || checksums.sound('fenestra_outbox', [row]).length > 0) return row;
      last = integerIn(row, 'sequence');
    }
  };
  return {
    putWaiting: (key, message) =>
      inTransaction(database, () => {
        rows.put({ key, message });
        return trim.run(limit);
      }),
    firstWaiting: () => {
      const row = firstSound();
      if (row === undefined) return undefined;
      return { sequence: Number(integerIn(row, 'sequence')), key: textIn(row, 'key'), message: textIn(row, 'message') };
    },
    countWaiting: () => Number(count.get()?.['entries'] ?? 0),
    removeWaiting: ({ sequence }) => void remove.run(sequence),
  };
}

const TRIM_DELETIONS =
  'DELETE FROM fenestra_deletion WHERE sequence <= (SELECT max(sequence) FROM fenestra_deletion) - ?';

/** What was deleted, so that an old message that comes again cannot bring it back. Only the latest are kept. */
export function deletionTable(
  database: DatabaseSync,
  checksums: Checksums,
  limit: number,
): Pick<MetaStore, 'getDeletion' | 'putDeletion' | 'forgetDeletion'> {
  const rows = checkedTable(database, checksums, 'fenestra_deletion');
  const get = rows.reader('WHERE fenestra_deletion.key = ?');
  const trim = prepareStatement(database, TRIM_DELETIONS);
  return {
    getDeletion: (key) => get(key).map(toEdition)[0],
    putDeletion: (key, { uid = null, createdAt = null, resourceVersion = null }) =>
      inTransaction(database, () => {
        rows.put({ key, uid, created_at: createdAt, resource_version: resourceVersion });
        trim.run(limit);
      }),
    forgetDeletion: rows.remove,
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
