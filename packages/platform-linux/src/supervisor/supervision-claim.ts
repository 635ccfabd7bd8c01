import { rm, rmdir } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessIdentity } from '@fenestra/platform';
import { replaceSmallFile } from '../files/small-file.ts';
import { identifyProcess, isProcessAlive } from '../host/processes.ts';
import { readJsonObject, parseIdentity } from './supervisor-record.ts';
import type { ServiceFolder } from './service-folder.ts';

const SQLITE_BUSY = 5;
const PAUSE_MS = 20;

/** The right to supervise a service, held by one process at a time. */
export interface Claim {
  readonly holder: ProcessIdentity;
  release(): Promise<void>;
  /** Gives it up for a service that is no more, and deletes what is left of its folder. */
  discard(): Promise<void>;
}

/**
 * Claims the service for this process and writes its pid file; `undefined` if another process has the service.
 * It returns only once that other can be seen, so that no one finds a service with two rivals and no supervisor.
 */
export async function claimSupervision(folder: ServiceFolder): Promise<Claim | undefined> {
  for (;;) {
    const lock = takeLock(folder.lock);
    if (lock !== undefined) return holdClaim(folder, lock);
    if ((await liveSupervisor(folder)) !== undefined) return undefined;
    // The holder has just come and will write its pid file, or is about to go.
    await sleep(PAUSE_MS);
  }
}

/** The live process that supervises the service, if there is one. */
export async function liveSupervisor(folder: ServiceFolder): Promise<ProcessIdentity | undefined> {
  const holder = parseIdentity(await readJsonObject(folder.pidFile));
  return holder !== undefined && (await isProcessAlive(holder)) ? holder : undefined;
}

async function holdClaim(folder: ServiceFolder, lock: DatabaseSync): Promise<Claim> {
  const holder = await identifyProcess(process.pid);
  if (holder === undefined) throw new Error('this process is not in /proc');
  replaceSmallFile(folder.pidFile, JSON.stringify(holder));
  return {
    holder,
    async release() {
      try {
        // Kept, so that the next claim needs no new block on a full disk.
        replaceSmallFile(folder.pidFile, '{}\n');
      } finally {
        lock.close();
      }
    },
    async discard() {
      const { pidFile, record, readiness, log, path } = folder;
      // The lock goes last: anyone who comes in the meantime waits for it, and then finds a new one in its place.
      for (const file of [pidFile, record, readiness, log, `${log}.1`, folder.lock]) await rm(file, { force: true });
      // A service of the same name that has come in the meantime keeps the folder.
      await rmdir(path).catch(() => undefined);
      lock.close();
    },
  };
}

/**
 * An open exclusive transaction on an empty database is a lock that the kernel keeps and drops with the process,
 * however that ends. Node offers no other way to such a lock.
 */
function takeLock(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
