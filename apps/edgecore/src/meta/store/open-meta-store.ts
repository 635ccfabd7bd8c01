import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '@fenestra/platform';
import { type Checksums, checkRows, openChecksums } from './checksums.ts';
import { databaseError, inTransaction } from './statement.ts';
import { deletionTable, outboxTable } from './outbox-table.ts';
import type { MetaStore } from './meta-store.ts';
import { metaTable, objectTable } from './object-table.ts';
import { openDatabase } from './open-database.ts';
import { podTable } from './pod-table.ts';

/** The options of a store. */
export interface MetaStoreOptions {
  readonly log: Logger;
  readonly now: () => Date;
  /** How many messages may wait for the cloud. */
  readonly outboxLimit?: number;
  /** How many deletions are remembered. */
  readonly deletionLimit?: number;
}

const OUTBOX_LIMIT = 1_000;
const DELETION_LIMIT = 5_000;

/** Opens the node's memory, or begins it. */
export function openMetaStore(file: string, options: MetaStoreOptions): MetaStore {
  const { log, now, outboxLimit = OUTBOX_LIMIT, deletionLimit = DELETION_LIMIT } = options;
  const { database, setAside, damagedLog } = openDatabase(file, now);
  if (damagedLog !== undefined)
    log.error('The write-ahead log of the database was damaged: what can be read of it is used', { damagedLog });
  if (setAside !== undefined) log.error('The database was damaged: set it aside and created a new one', { setAside });
  const checksums = checkedRows(database, options);
  return {
    ...metaTable(database, checksums),
    ...objectTable(database, checksums),
    ...deletionTable(database, checksums, deletionLimit),
    ...outboxTable(database, checksums, outboxLimit),
    ...podTable(database, checksums),
    transaction: (work) => inTransaction(database, work),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

function checkedRows(database: DatabaseSync, { log, now }: MetaStoreOptions): Checksums {
  try {
    const checksums = openChecksums(database, log, now);
    checkRows(database, checksums);
    return checksums;
  } catch (cause) {
    database.close();
    throw databaseError(cause, "check the node's database");
  }
}
