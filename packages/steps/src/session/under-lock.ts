import { acquireNodeLock, journalFolder, type JournalFolder, type ProcessIdentity } from '@fenestra/kernel';
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
    return await work(owner);
  } finally {
    await lock.release();
  }
}

/** The node's journals. */
export function nodeJournals({ layout, ports, now }: NodeSession): JournalFolder {
  return journalFolder(layout.journalFolder, ports.files, now);
}
