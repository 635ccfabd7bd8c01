import { inspectJournal, OperatorError, type JournalFolder } from '@fenestra/kernel';
import type { NodeSession } from './node-session.ts';
import { nodeJournals, underLock } from './under-lock.ts';

/** A journal that somebody wants out of the way. */
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
