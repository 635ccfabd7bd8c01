import { dirname } from 'node:path';
import {
  acquireNodeLock,
  journalFolder,
  type JournalFolder,
  type ProcessIdentity,
  inspectJournal,
  OperatorError,
} from '@fenestra/kernel';
import type { FileStore, NodeLayout } from '@fenestra/platform';
import type { NodeSession } from './node-session.ts';

/** Does work on a node that no one else may work on in the meantime. */
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

/** A journal that someone wants out of the way. */
export interface UnwantedJournal {
  readonly path: string;
  /** Whether it may be of work that could still be finished or undone. */
  readonly force: boolean;
}

/** Where a journal is now, and which command's work is given up with it. */
export interface SetAside {
  readonly to: string;
  readonly abandoned: string | undefined;
}

/** Takes a journal out of the way. One that is sound is what recovery needs: it stays unless that is forced. */
export async function setJournalAside(session: NodeSession, unwanted: UnwantedJournal): Promise<SetAside> {
  return underLock(session, 'keadm journal set-aside', async () => {
    const journals = nodeJournals(session);
    const abandoned = await requireInTheWay(journals, unwanted);
    return { to: await journals.setAside(unwanted.path), abandoned };
  });
}

/**
 * Throws unless the file is one of the node's journals and holds every other command up: because it is damaged or, if
 * forced, because its work has not ended. Of the latter the command is returned.
 */
export async function requireInTheWay(
  journals: JournalFolder,
  { path, force }: UnwantedJournal,
): Promise<string | undefined> {
  if (!(await journals.list()).includes(path))
    throw refusal(path, 'it is not a journal of this node', 'Run "keadm journal list" for those there are.');
  const { plan, damage } = await inspectJournal(path);
  if (damage !== undefined) return undefined;
  if (plan === undefined || plan.outcome !== undefined)
    throw refusal(path, 'it is sound, and its work has ended', 'Leave it where it is: it holds nothing up.');
  if (force) return plan.begun.command;
  const hint =
    'Run "keadm recover" to finish or undo the operation; if that is impossible, add "--force" to abandon it.';
  throw refusal(path, 'it is sound', hint);
}

function refusal(path: string, why: string, hint: string): OperatorError {
  return new OperatorError('USAGE', `Cannot set "${path}" aside: ${why}`, { hint });
}
