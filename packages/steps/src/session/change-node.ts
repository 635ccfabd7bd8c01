import { executePlan, recover, type OnStuck, type Plan, type ProcessIdentity, type Recovered } from '@fenestra/kernel';
import { spaceReserveFreer } from '../guard/space-reserve.ts';
import { STEP_HANDLERS } from '../step-handlers.ts';
import type { NodeSession } from './node-session.ts';
import { nodeJournals, underLock } from './under-lock.ts';

/** What a command did to the node. Earlier runs that were cut off are brought to an end first. */
export interface NodeChange {
  readonly recovered: readonly Recovered[];
  readonly plan: Plan;
  readonly outcome: 'unchanged' | 'applied' | 'reverted';
  /** Why the plan was reverted. */
  readonly failure?: unknown;
}

/** An earlier run that could be neither finished nor undone, and was given up. */
export interface AbandonedRun {
  readonly command: string;
  /** Where its journal is now. */
  readonly journal: string;
  readonly why: string;
}

/** Changes a node under its lock and its journal. `makePlan` gathers facts only after recovery may have changed them. */
export async function changeNode(
  session: NodeSession,
  command: string,
  makePlan: () => Promise<Plan>,
  signal: AbortSignal,
): Promise<NodeChange> {
  return underLock(session, command, async (owner) => {
    const recovered = await recoverNode(session, owner);
    return { recovered, ...(await carryOut(session, { command, owner, plan: await makePlan() }, signal)) };
  });
}

/** The same, for a change that leaves nothing of what earlier runs were about: one that is stuck is set aside. */
export async function overrideNode(
  session: NodeSession,
  command: string,
  makePlan: () => Promise<Plan>,
  signal: AbortSignal,
): Promise<NodeChange & { readonly abandoned: readonly AbandonedRun[] }> {
  return underLock(session, command, async (owner) => {
    const abandoned: AbandonedRun[] = [];
    const recovered = await recoverNode(session, owner, async (run, { message: why }) => {
      const journal = await nodeJournals(session).setAside(run.path);
      abandoned.push({ command: run.command, journal, why });
    });
    return { recovered, abandoned, ...(await carryOut(session, { command, owner, plan: await makePlan() }, signal)) };
  });
}

/** Brings runs that were cut off to an end, then does `work`, a single act that needs no journal of its own. */
export async function actOnNode<T>(session: NodeSession, command: string, work: () => Promise<T>): Promise<T> {
  return underLock(session, command, async (owner) => {
    await recoverNode(session, owner);
    return work();
  });
}

/** Brings runs that were cut off to an end, and does nothing else. */
export async function recoverOnly(session: NodeSession): Promise<readonly Recovered[]> {
  return underLock(session, 'keadm recover', async (owner) => recoverNode(session, owner));
}

async function carryOut(
  session: NodeSession,
  run: { readonly command: string; readonly owner: ProcessIdentity; readonly plan: Plan },
  signal: AbortSignal,
): Promise<Omit<NodeChange, 'recovered'>> {
  const { programVersion, ports } = session;
  const onEvent = observerOf(session);
  if (run.plan.length === 0) return { plan: run.plan, outcome: 'unchanged' };
  const journals = nodeJournals(session);
  const journal = await journals.create(run.command);
  try {
    const execution = { journal, handlers: STEP_HANDLERS, ports, onEvent };
    return { plan: run.plan, ...(await executePlan({ ...run, programVersion }, execution, signal)) };
  } finally {
    await journal.close();
    // Tidying up must not hide how the work ended.
    await journals.prune().catch(() => undefined);
  }
}

async function recoverNode(
  session: NodeSession,
  owner: ProcessIdentity,
  onStuck?: OnStuck,
): Promise<readonly Recovered[]> {
  const { ports, programVersion } = session;
  const recoverer = { programVersion, owner };
  const common = { handlers: STEP_HANDLERS, ports, onEvent: observerOf(session) };
  return recover({ journals: nodeJournals(session), recoverer, ...common, onStuck });
}

function observerOf({ layout, onEvent }: NodeSession): NodeSession['onEvent'] {
  const freeSpace = spaceReserveFreer(layout.guardExecutable);
  return (event) => {
    freeSpace(event);
    onEvent(event);
  };
}
