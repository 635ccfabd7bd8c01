import { planWorkflow, type Plan } from '@fenestra/kernel';
import { changeNode, heardSession, overrideNode, type AbandonedRun, type NodeChange } from '@fenestra/session';
import type { WorkerSession } from '../worker-session.ts';
import { gatherResetFacts } from './gather-reset-facts.ts';
import type { KubeResetFacts, KubeResetWishes } from './reset-facts.ts';
import { KUBE_RESET } from './workflow.ts';

/** How a reset ended. */
export interface WorkerReset extends NodeChange {
  /** The machine as it was when earlier work had been brought to an end. */
  readonly before: KubeResetFacts;
  readonly abandoned: readonly AbandonedRun[];
  /** What steps said that is worth knowing afterwards. */
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
  const heard = heardSession(session);
  const act = wishes.force ? overrideNode : changeNode;
  const { change, planned, ...given } = await act(heard.session, 'keadm kube reset', makePlan, signal);
  return { ...change, abandoned: [], ...given, before: planned.before, notes: heard.notes };
}
