import type { DatabaseSync } from 'node:sqlite';
import { checksumOf } from './stored-body.ts';

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

// More than can have been given out after the newest revision that an object still has.
const GAP = 1_000_000;
const NEWEST = `SELECT max(CAST(json_extract(body, '$.metadata.resourceVersion') AS INTEGER)) AS newest FROM objects`;

/** Reads the stored number and counts on from it. One that is damaged is replaced by one that was never given out. */
export function revisionRow(database: DatabaseSync): RevisionRow {
  const update = database.prepare('UPDATE revision SET value = ?, checksum = ?');
  const save = (value: number) => update.run(value, checksumOf(String(value)));
  const row = database.prepare('SELECT value, checksum FROM revision').get();
  let committed = Number(row?.['value'] ?? 1);
  if (row?.['checksum'] !== null && row?.['checksum'] !== checksumOf(String(committed))) {
    committed = Number(database.prepare(NEWEST).get()?.['newest'] ?? 1) + GAP;
    save(committed);
  }
  let pending = committed;
  return {
    current: () => committed,
    next: () => (pending += 1),
    save: () => void (pending === committed || save(pending)),
    committed: () => void (committed = pending),
    undo: () => void (pending = committed),
  };
}
