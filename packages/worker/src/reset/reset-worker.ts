import { type Plan, planWorkflow } from '@fenestra/kernel';
import { type AbandonedRun, changeNode, heardSession, type NodeChange, overrideNode } from '@fenestra/session';
import { compareFolders, type Kept } from '@fenestra/steps';
import type { WorkerSession } from '../worker-session.ts';
import { askAgain, type ClusterAnswer } from './ask-cluster.ts';
import { gatherResetFacts } from './gather-reset-facts.ts';
import { KUBE_RESET, type KubeResetFacts, type KubeResetWishes } from './workflow.ts';

/** How a reset ended. */
export interface WorkerReset extends NodeChange {
  /** The machine as it was when earlier work had been brought to an end. */
  readonly before: KubeResetFacts;
  readonly abandoned: readonly AbandonedRun[];
  readonly notes: readonly string[];
}

/** What a reset would do. */
export function planKubeReset(facts: KubeResetFacts): Plan {
  return planWorkflow(KUBE_RESET, facts);
}

/** Takes the worker off the machine. By force it does so whatever state earlier work has left it in. */
export async function resetWorker(
  session: WorkerSession,
  wishes: KubeResetWishes,
  signal: AbortSignal,
): Promise<WorkerReset> {
  const makePlan = async () => {
    const before = await gatherResetFacts(session, wishes, signal);
    return { plan: planKubeReset(before), before };
  };
  const received = heardSession(session);
  const act = wishes.force ? overrideNode : changeNode;
  const { change, planned, ...given } = await act(received.session, 'keadm kube reset', makePlan, signal);
  return { ...change, abandoned: [], ...given, before: planned.before, notes: received.notes };
}

/** What a reset came to. It claims nothing that was not looked at afterwards. */
export interface KubeResetReport {
  readonly node: string;
  readonly removed: readonly string[];
  readonly kept: readonly Kept[];
  /** Whether the cluster still lists the node; unknown where it could not be asked. */
  readonly inCluster: boolean | 'unknown';
  /** What could not be done or asked, and what to do about it. */
  readonly notes: readonly string[];
}

/** Looks again, so that the report shows what is and not what was planned. */
export async function reportKubeReset(
  session: WorkerSession,
  { before, notes }: Pick<WorkerReset, 'before' | 'notes'>,
  signal: AbortSignal,
): Promise<KubeResetReport> {
  const { kubeconfig } = before.wishes;
  const after = await gatherResetFacts(session, { ...before.wishes, kubeconfig: undefined }, signal);
  const asked = before.cluster.state === 'registered' && kubeconfig !== undefined;
  const cluster = asked ? await askAgain(session.ports, kubeconfig, before.nodeName, signal) : before.cluster;
  return composeReport(before, { ...after, cluster }, notes);
}

/** Shows what changed between two looks at the machine, and what the steps in between had to say. */
export function composeReport(
  before: KubeResetFacts,
  after: Pick<KubeResetFacts, 'cluster' | 'folders' | 'kept'>,
  notes: readonly string[] = [],
): KubeResetReport {
  return {
    node: before.nodeName,
    ...compareFolders(before, after),
    inCluster: inCluster(after.cluster),
    notes: [
      ...(before.joined ? [...clusterNotes(before.nodeName, after.cluster), ...runtimeNotes(before)] : []),
      ...notes,
    ],
  };
}

function inCluster({ state }: ClusterAnswer): boolean | 'unknown' {
  if (state === 'registered') return true;
  return state === 'absent' ? false : 'unknown';
}

function clusterNotes(node: string, cluster: ClusterAnswer): readonly string[] {
  if (cluster.state === 'absent') return [];
  const why = cluster.state === 'unknown' ? ` (${cluster.reason})` : '';
  const lists = cluster.state === 'registered' ? 'still lists' : 'may still list';
  return [`The cluster ${lists} the node "${node}"${why}; remove it there with "kubectl delete node ${node}"`];
}

function runtimeNotes({ runtime: { problem } }: KubeResetFacts): readonly string[] {
  return problem === undefined ? [] : [`No pods were removed: ${problem}`];
}
