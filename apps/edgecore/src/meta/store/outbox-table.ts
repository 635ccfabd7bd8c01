import type { DatabaseSync } from 'node:sqlite';
import { type Checksums, selectChecked } from './checksums.ts';
import type { MetaStore } from './meta-store.ts';
import { integerIn, prepareStatement, textIn } from './statement.ts';
import { inTransaction } from './transaction.ts';

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
