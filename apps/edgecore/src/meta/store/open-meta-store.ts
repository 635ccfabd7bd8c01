import type { DatabaseSync } from 'node:sqlite';
import type { Logger } from '@fenestra/platform';
import { deletionTable } from './deletion-table.ts';
import type { MetaStore } from './meta-store.ts';
import { metaTable } from './meta-table.ts';
import { objectTable } from './object-table.ts';
import { openDatabase } from './open-database.ts';
import { outboxTable } from './outbox-table.ts';
import { attempt } from './statement.ts';

/** What a store may be told. */
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
  const { database, setAside } = openDatabase(file, now);
  if (setAside !== undefined) log.error('The database was damaged: it is set aside and a new one begun', { setAside });
  return {
    ...metaTable(database),
    ...objectTable(database),
    ...deletionTable(database, deletionLimit),
    ...outboxTable(database, outboxLimit),
    transaction: (work) => inTransaction(database, work),
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

/** A transaction inside another is part of it. */
function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  attempt(() => database.exec('BEGIN IMMEDIATE'));
  try {
    const result = work();
    attempt(() => database.exec('COMMIT'));
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
