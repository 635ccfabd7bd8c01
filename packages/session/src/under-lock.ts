import { dirname } from 'node:path';
import { acquireNodeLock, journalFolder, type JournalFolder, type ProcessIdentity } from '@fenestra/kernel';
import type { FileStore, NodeLayout } from '@fenestra/platform';
import type { NodeSession } from './node-session.ts';

/** Does work on a node that nobody else may work on meanwhile. */
export async function underLock<T>(
  { host, layout, ports }: NodeSession,
  command: string,
  work: (owner: ProcessIdentity) => Promise<T>,
): Promise<T> {
  await ports.files.createFolder(layout.bookkeepingFolder);
  await ports.access.makePrivate(layout.bookkeepingFolder);
  const owner = await host.self();
  const isAlive = async (process: ProcessIdentity): Promise<boolean> => host.isAlive(process);
  const lock = await acquireNodeLock({ folder: layout.lockFolder, owner: { ...owner, command }, isAlive });
  try {
    await removeLeftovers(layout, ports.files);
    return await work(owner);
  } finally {
    await lock.release();
  }
}

/** A guard is copied under the lock only, so a partial copy is of a command that was killed. It may be the whole disk's room. */
async function removeLeftovers({ guardExecutable }: NodeLayout, files: FileStore): Promise<void> {
  const signal = new AbortController().signal;
  await files.removeTree(`${guardExecutable}.partial`, dirname(guardExecutable), signal).catch(() => undefined);
}

/** The node's journals. */
export function nodeJournals({ layout, ports, now }: NodeSession): JournalFolder {
  return journalFolder(layout.journalFolder, ports.files, now);
}
