import { planWorkflow, type Plan } from '@fenestra/kernel';
import {
  type AbandonedRun,
  changeNode,
  heardSession,
  type NodeChange,
  type NodeSession,
  overrideNode,
} from '@fenestra/session';
import { gatherResetFacts, type ResetFacts, type ResetWishes } from './facts.ts';
import { RESET } from './workflow.ts';

/** How a reset ended. */
export interface NodeReset extends NodeChange {
  /** The machine as it was when earlier work had been brought to an end. */
  readonly before: ResetFacts;
  readonly abandoned: readonly AbandonedRun[];
  /** What steps said that is worth knowing afterwards. */
  readonly notes: readonly string[];
}

/** What a reset would do. */
export function planReset(facts: ResetFacts): Plan {
  return planWorkflow(RESET, facts);
}

/** Takes the node off the machine. By force it does so whatever state earlier work has left the node in. */
export async function resetNode(session: NodeSession, wishes: ResetWishes, signal: AbortSignal): Promise<NodeReset> {
  const makePlan = async () => {
    const before = await gatherResetFacts(session, wishes, signal);
    return { plan: planReset(before), before };
  };
  const heard = heardSession(session);
  const act = wishes.force ? overrideNode : changeNode;
  const { change, planned, ...given } = await act(heard.session, 'keadm reset', makePlan, signal);
  return { ...change, abandoned: [], ...given, before: planned.before, notes: heard.notes };
}
