import { planWorkflow, type ExecutionEvent, type Plan } from '@fenestra/kernel';
import { type AbandonedRun, changeNode, type NodeChange, type NodeSession, overrideNode } from '@fenestra/steps';
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
  let before: ResetFacts | undefined;
  const makePlan = async (): Promise<Plan> => {
    before = await gatherResetFacts(session, wishes, signal);
    return planReset(before);
  };
  const notes: string[] = [];
  const onEvent = (event: ExecutionEvent): void => {
    if (event.type === 'step-note' && event.lasting) notes.push(event.text);
    session.onEvent(event);
  };
  const change = wishes.force ? overrideNode : changeNode;
  const ended = await change({ ...session, onEvent }, 'keadm reset', makePlan, signal);
  if (before === undefined) throw new Error('A plan was executed that was not planned');
  return { abandoned: [], ...ended, before, notes };
}
