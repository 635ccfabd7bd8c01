import { executePlan, recover, type OnStuck, type Plan, type ProcessIdentity, type Recovered } from '@fenestra/kernel';
import { spaceReserveFreer } from './guard/space-reserve.ts';
import type { Secrets } from './ports/step-ports.ts';
import type { NodeSession } from './node-session.ts';
import { nodeJournals, underLock } from './node-journals.ts';

const NO_SECRETS: Secrets = new Map();

/** What a command did to the node. Earlier runs that were cut off are brought to an end first. */
export interface NodeChange {
  readonly recovered: readonly Recovered[];
  readonly plan: Plan;
  readonly outcome: 'unchanged' | 'applied' | 'reverted';
  /** Why the plan was reverted. */
  readonly failure?: unknown;
}

/** A change that is about to be made. */
export interface PlannedChange {
  readonly plan: Plan;
  /** What its steps use besides the secrets of the session, and its journal never holds. */
  readonly secrets?: Secrets;
}

/** A change of the node, with what was planned for it. */
export interface CarriedOut<Planned> {
  readonly change: NodeChange;
  readonly planned: Planned;
}

/** An earlier run that could be neither finished nor undone, and was given up. */
export interface AbandonedRun {
  readonly command: string;
  /** Where its journal is now. */
  readonly journal: string;
  readonly why: string;
}

/** Changes a node under its lock and its journal. `makePlan` gathers facts only after recovery may have changed them. */
export async function changeNode<Planned extends PlannedChange>(
  session: NodeSession,
  command: string,
  makePlan: () => Promise<Planned>,
  signal: AbortSignal,
): Promise<CarriedOut<Planned>> {
  return underLock(session, command, async (owner) => {
    const recovered = await recoverNode(session, owner);
    const planned = await makePlan();
    return { change: { recovered, ...(await carryOut(session, { command, owner, planned }, signal)) }, planned };
  });
}

/** The same, for a change that leaves nothing of what earlier runs were about: one that is stuck is set aside. */
export async function overrideNode<Planned extends PlannedChange>(
  session: NodeSession,
  command: string,
  makePlan: () => Promise<Planned>,
  signal: AbortSignal,
): Promise<CarriedOut<Planned> & { readonly abandoned: readonly AbandonedRun[] }> {
  return underLock(session, command, async (owner) => {
    const abandoned: AbandonedRun[] = [];
    const recovered = await recoverNode(session, owner, async (run, { message: why }) => {
      const journal = await nodeJournals(session).setAside(run.path);
      abandoned.push({ command: run.command, journal, why });
    });
    const planned = await makePlan();
    const change = { recovered, ...(await carryOut(session, { command, owner, planned }, signal)) };
    return { change, planned, abandoned };
  });
}

/** Brings runs that were cut off to an end, then does `work`, a single act that needs no separate journal. */
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
  run: { readonly command: string; readonly owner: ProcessIdentity; readonly planned: PlannedChange },
  signal: AbortSignal,
): Promise<Omit<NodeChange, 'recovered'>> {
  const { programVersion, handlers } = session;
  const { command, owner, planned } = run;
  const { plan, secrets = NO_SECRETS } = planned;
  if (plan.length === 0) return { plan, outcome: 'unchanged' };
  const ports = { ...session.ports, secrets: new Map([...session.ports.secrets, ...secrets]) };
  const onEvent = observerOf(session);
  const journals = nodeJournals(session);
  const journal = await journals.create(command);
  try {
    const execution = { journal, handlers, ports, onEvent };
    return { plan, ...(await executePlan({ command, owner, plan, programVersion }, execution, signal)) };
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
  const { ports, handlers, programVersion } = session;
  const recoverer = { programVersion, owner };
  const common = { handlers, ports, onEvent: observerOf(session) };
  return recover({ journals: nodeJournals(session), recoverer, ...common, onStuck });
}

function observerOf({ layout, onEvent }: NodeSession): NodeSession['onEvent'] {
  const freeSpace = spaceReserveFreer(layout.guardExecutable);
  return (event) => {
    freeSpace(event);
    onEvent(event);
  };
}
