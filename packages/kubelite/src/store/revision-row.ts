import type { DatabaseSync } from 'node:sqlite';

/** The store's version number: it only goes up, and never to a number that a commit did not keep. */
export interface RevisionRow {
  /** The newest committed one. */
  current(): number;
  /** The next one, for a write on its way. */
  next(): number;
  /** Writes it, inside the transaction. */
  save(): void;
  committed(): void;
  /** The transaction failed: its numbers were never seen by anybody. */
  undo(): void;
}

/** Reads the stored number and counts on from it. */
export function revisionRow(database: DatabaseSync): RevisionRow {
  const update = database.prepare('UPDATE revision SET value = ?');
  let committed = Number(database.prepare('SELECT value FROM revision').get()?.['value'] ?? 1);
  let pending = committed;
  return {
    current: () => committed,
    next: () => (pending += 1),
    save: () => void (pending === committed || update.run(pending)),
    committed: () => void (committed = pending),
    undo: () => void (pending = committed),
  };
}
