import type { DatabaseSync } from 'node:sqlite';
import type { Edition } from '../precedence.ts';
import { type Checksums, selectChecked } from './checksums.ts';
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
  const put = prepareStatement(database, 'INSERT OR REPLACE INTO fenestra_outbox (key, message) VALUES (?, ?)');
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
        put.run(key, message);
        checksums.mark('fenestra_outbox', { key, message });
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

const GET = selectChecked('fenestra_deletion', 'WHERE fenestra_deletion.key = ?');
const PUT = 'INSERT OR REPLACE INTO fenestra_deletion (key, uid, created_at, resource_version) VALUES (?, ?, ?, ?)';
const TRIM_DELETIONS =
  'DELETE FROM fenestra_deletion WHERE sequence <= (SELECT max(sequence) FROM fenestra_deletion) - ?';

/** What was deleted, so that an old message that comes again cannot bring it back. Only the latest are kept. */
export function deletionTable(
  database: DatabaseSync,
  checksums: Checksums,
  limit: number,
): Pick<MetaStore, 'getDeletion' | 'putDeletion' | 'forgetDeletion'> {
  const get = prepareStatement(database, GET);
  const put = prepareStatement(database, PUT);
  const trim = prepareStatement(database, TRIM_DELETIONS);
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
