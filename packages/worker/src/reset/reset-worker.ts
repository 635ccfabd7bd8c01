import { planWorkflow, type ExecutionEvent, type Plan } from '@fenestra/kernel';
import { changeNode, overrideNode, type AbandonedRun, type NodeChange } from '@fenestra/steps';
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
  let before: KubeResetFacts | undefined;
  const makePlan = async (): Promise<Plan> => {
    before = await gatherResetFacts(session, wishes, signal);
    return planKubeReset(before);
  };
  const notes: string[] = [];
  const onEvent = (event: ExecutionEvent): void => {
    if (event.type === 'step-note' && event.lasting) notes.push(event.text);
    session.onEvent(event);
  };
  const change = wishes.force ? overrideNode : changeNode;
  const ended = await change({ ...session, onEvent }, 'keadm kube reset', makePlan, signal);
  if (before === undefined) throw new Error('A plan was executed that was not planned');
  return { abandoned: [], ...ended, before, notes };
}
