import type { DatabaseSync } from 'node:sqlite';
import { attempt } from './statement.ts';

/** Runs the work in a transaction. A transaction inside another is part of it. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
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
