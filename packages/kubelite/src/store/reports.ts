import type { Logger } from '@fenestra/platform';
import { StatusError } from '../objects/status-error.ts';
import { isDiskFull, type OpenedDatabase } from './database.ts';

/** Logs what was damaged, at every start until the objects have been created again. */
export function reportDamage(opened: OpenedDatabase, log: Pick<Logger, 'error'> | undefined): void {
  const { setAside, damagedLog, damaged } = opened;
  if (damagedLog !== undefined)
    log?.error('The write-ahead log of the database was damaged: what can be read of it is used', { damagedLog });
  if (setAside !== undefined)
    log?.error('The database was damaged: the objects that can be read are in a new one', { setAside });
  for (const { resource, namespace, name, reason } of damaged)
    log?.error('A stored object was damaged and is set aside: create it again', { resource, namespace, name, reason });
}

const FULL_MESSAGE = 'the disk of the cloud is full, so nothing was stored: free some space on it and try again';

/** What a write says that failed because of a full disk. The log gets one line when it begins and one when it ends. */
export function fullDiskReporter(log: Pick<Logger, 'error' | 'info'> | undefined) {
  let full = false;
  return {
    /** The outcome of a write; a failure that a full disk caused becomes a 507. */
    async explained<T>(write: Promise<T>): Promise<T> {
      try {
        const result = await write;
        if (full) log?.info('The embedded API stores objects again');
        full = false;
        return result;
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        if (!full) log?.error('The embedded API cannot store anything: its disk is full');
        full = true;
        throw new StatusError(507, 'InsufficientStorage', FULL_MESSAGE);
      }
    },
  };
}
