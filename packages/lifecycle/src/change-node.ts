import {
  acquireNodeLock,
  executePlan,
  inspectJournal,
  journalFolder,
  OperatorError,
  recover,
  type JournalFolder,
  type Plan,
  type ProcessIdentity,
  type Recovered,
} from '@fenestra/kernel';
import { STEP_HANDLERS } from '@fenestra/steps';
import type { NodeSession } from './node-session.ts';

/** What a command did to the node. Earlier runs that were cut off are brought to an end first. */
export interface NodeChange {
  readonly recovered: readonly Recovered[];
  readonly plan: Plan;
  readonly outcome: 'unchanged' | 'applied' | 'reverted';
  /** Why the plan was reverted. */
  readonly failure?: unknown;
}

/** Changes a node under its lock and its journal. `makePlan` gathers facts only after recovery may have changed them. */
export async function changeNode(
  session: NodeSession,
  command: string,
  makePlan: () => Promise<Plan>,
  signal: AbortSignal,
): Promise<NodeChange> {
  return underLock(session, command, async (owner) => {
    const journals = nodeJournals(session);
    const recovered = await recoverNode(session, journals, owner);
    const plan = await makePlan();
    if (plan.length === 0) return { recovered, plan, outcome: 'unchanged' };
    const journal = await journals.create(command);
    try {
      const run = { command, programVersion: session.programVersion, owner, plan };
      const execution = { journal, handlers: STEP_HANDLERS, ports: session.ports, onEvent: session.onEvent };
      return { recovered, plan, ...(await executePlan(run, execution, signal)) };
    } finally {
      await journal.close();
      // Tidying up must not hide how the work ended.
      await journals.prune().catch(() => undefined);
    }
  });
}

/** Brings runs that were cut off to an end, then does `work`, a single act that needs no journal of its own. */
export async function actOnNode<T>(session: NodeSession, command: string, work: () => Promise<T>): Promise<T> {
  return underLock(session, command, async (owner) => {
    await recoverNode(session, nodeJournals(session), owner);
    return work();
  });
}

/** Brings runs that were cut off to an end, and does nothing else. */
export async function recoverOnly(session: NodeSession): Promise<readonly Recovered[]> {
  return underLock(session, 'keadm recover', async (owner) => recoverNode(session, nodeJournals(session), owner));
}

/** Takes a journal that cannot be trusted out of the way. A sound one is what recovery needs, and stays. */
export async function setJournalAside(session: NodeSession, path: string): Promise<string> {
  return underLock(session, 'keadm journal set-aside', async () => {
    const journals = nodeJournals(session);
    await requireDamaged(journals, path);
    return journals.setAside(path);
  });
}

/** Throws unless the file is one of the node's journals and damaged. */
export async function requireDamaged(journals: JournalFolder, path: string): Promise<void> {
  const known = (await journals.list()).includes(path);
  if (known && (await inspectJournal(path)).damage !== undefined) return;
  throw new OperatorError('USAGE', `Cannot set "${path}" aside: it is ${known ? 'sound' : 'no journal of this node'}`, {
    hint: known
      ? 'Run "keadm recover" to finish or undo what it says.'
      : 'Run "keadm journal list" for those there are.',
  });
}

/** The node's journals. */
export function nodeJournals({ layout, ports, now }: NodeSession): JournalFolder {
  return journalFolder(layout.journalFolder, ports.files, now);
}

async function underLock<T>(
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

async function recoverNode(
  { ports, programVersion, onEvent }: NodeSession,
  journals: JournalFolder,
  owner: ProcessIdentity,
): Promise<readonly Recovered[]> {
  return recover({ journals, recoverer: { programVersion, owner }, handlers: STEP_HANDLERS, ports, onEvent });
}
