import {
  acquireNodeLock,
  executePlan,
  journalFolder,
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
      await journals.prune();
    }
  });
}

/** Brings runs that were cut off to an end, and does nothing else. */
export async function recoverOnly(session: NodeSession): Promise<readonly Recovered[]> {
  return underLock(session, 'keadm recover', async (owner) => recoverNode(session, nodeJournals(session), owner));
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
