import type { DatabaseSync } from 'node:sqlite';
import type { KubeObject } from '../objects/kube-object.ts';

/** Work that wants to be part of the next commit, and whom to tell. */
interface Waiting {
  run(): void;
  succeeded(): void;
  failed(error: unknown): void;
}

/** Runs writes one after the other and commits those of one turn of the event loop together: one flush to disk for all. */
interface CommitQueue {
  /** Resolves with what `work` returned once it is on disk. A throw undoes that work alone. `work` must not wait. */
  enqueue<T>(work: () => T): Promise<T>;
  /** Commits what is waiting, now. */
  flush(): void;
}

/** What the owner of the queue adds to every commit. */
interface CommitHooks {
  /** Before COMMIT, inside the transaction. */
  beforeCommit(): void;
  /** After COMMIT and before anyone is answered: publish the changes. */
  committed(): void;
  /** One work was undone, or all of them. */
  undone(scope: 'batch' | 'work'): void;
  /** One work is in; nothing of it will be undone alone any more. */
  kept(): void;
}

/** Longer batches are split, so that requests which do not write are answered in between. */
const BATCH_MS = 25;

/** A queue over one database connection. */
export function commitQueue(database: DatabaseSync, hooks: CommitHooks): CommitQueue {
  const waiting: Waiting[] = [];
  let scheduled = false;
  const commitUntil = (deadline: number) => {
    let isFirst = true;
    commitBatch(database, hooks, () => {
      if (!isFirst && performance.now() > deadline) return undefined;
      isFirst = false;
      return waiting.shift();
    });
  };
  const schedule = () => {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (waiting.length > 0) commitUntil(performance.now() + BATCH_MS);
      schedule();
    });
  };
  return {
    enqueue<T>(work: () => T) {
      return new Promise<T>((resolve, reject) => {
        let result: { readonly value: T } | undefined;
        waiting.push({
          run: () => void (result = { value: work() }),
          succeeded: () => result && resolve(result.value),
          failed: reject,
        });
        schedule();
      });
    },
    flush() {
      while (waiting.length > 0) commitUntil(Number.POSITIVE_INFINITY);
    },
  };
}

function commitBatch(database: DatabaseSync, hooks: CommitHooks, next: () => Waiting | undefined): void {
  const begun: Waiting[] = [];
  const kept: Waiting[] = [];
  try {
    for (let work = next(); work !== undefined; work = next()) {
      begun.push(work);
      if (begun.length === 1) database.exec('BEGIN IMMEDIATE');
      if (attempt(database, hooks, work)) kept.push(work);
    }
    hooks.beforeCommit();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
    hooks.undone('batch');
    for (const work of begun) work.failed(error);
    return;
  }
  try {
    hooks.committed();
  } finally {
    // What is on disk is acknowledged, whatever those who watch make of it.
    for (const work of kept) work.succeeded();
  }
}

function attempt(database: DatabaseSync, hooks: CommitHooks, work: Waiting): boolean {
  database.exec('SAVEPOINT work');
  try {
    work.run();
  } catch (error) {
    // A full disk makes SQLite undo the whole transaction.
    if (!database.isTransaction) throw error;
    database.exec('ROLLBACK TO work; RELEASE work');
    hooks.undone('work');
    work.failed(error);
    return false;
  }
  database.exec('RELEASE work');
  hooks.kept();
  return true;
}

/** What happened to an object. */
export type ChangeType = 'ADDED' | 'DELETED' | 'MODIFIED';

/** One committed change, as it goes to the watchers. `body` is `object` as JSON text: made once, used by all. */
export interface Change {
  readonly type: ChangeType;
  readonly revision: number;
  /** As `resourceName` spells it. */
  readonly resource: string;
  readonly object: KubeObject;
  readonly previous?: KubeObject;
  readonly body: string;
}
