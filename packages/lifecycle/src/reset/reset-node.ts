import { planWorkflow, type Plan } from '@fenestra/kernel';
import {
  type AbandonedRun,
  changeNode,
  heardSession,
  type NodeChange,
  type NodeSession,
  overrideNode,
} from '@fenestra/session';
import { compareFolders, type Kept } from '@fenestra/steps';
import { gatherResetFacts, type ResetFacts, type ResetWishes } from './facts.ts';
import { RESET } from './workflow.ts';
import { askCloud, type CloudAnswer } from './ask.ts';

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
  const received = heardSession(session);
  const act = wishes.force ? overrideNode : changeNode;
  const { change, planned, ...given } = await act(received.session, 'keadm reset', makePlan, signal);
  return { ...change, abandoned: [], ...given, before: planned.before, notes: received.notes };
}

/** What a reset came to. */
export interface ResetReport {
  /** `undefined` where nothing says its name. */
  readonly node: string | undefined;
  readonly removed: readonly string[];
  readonly kept: readonly Kept[];
  /** Whether the cloud still lists the node; unknown where it could not be asked. */
  readonly inCloud: boolean | 'unknown';
  /** What could not be done or asked, and what to do about it. */
  readonly notes: readonly string[];
}

/** Looks again, so that the report shows what is and not what was planned. */
export async function reportReset(
  session: NodeSession,
  { before, notes }: Pick<NodeReset, 'before' | 'notes'>,
  signal: AbortSignal,
): Promise<ResetReport> {
  const after = await gatherResetFacts(session, before.wishes, signal);
  const { cloud, wishes, nodeName } = before;
  const now = cloud.state === 'registered' ? await askCloud(session.ports, wishes, nodeName, signal) : cloud;
  return composeReport(before, { ...after, cloud: now }, notes);
}

/** Shows what changed between two looks at the machine, and what the steps in between had to say. */
export function composeReport(
  before: ResetFacts,
  after: Pick<ResetFacts, 'cloud' | 'folders' | 'kept'>,
  notes: readonly string[] = [],
): ResetReport {
  return {
    node: before.nameKnown ? before.nodeName : undefined,
    ...compareFolders(before, after),
    inCloud: inCloud(after.cloud),
    notes: [...(before.joined ? [...cloudNotes(before, after.cloud), ...runtimeNotes(before)] : []), ...notes],
  };
}

function inCloud({ state }: CloudAnswer): boolean | 'unknown' {
  if (state === 'registered') return true;
  return state === 'absent' ? false : 'unknown';
}

function cloudNotes(
  { nodeName: node, nameKnown }: Pick<ResetFacts, 'nodeName' | 'nameKnown'>,
  cloud: CloudAnswer,
): readonly string[] {
  if (cloud.state === 'absent') return [];
  if (!nameKnown) {
    return [
      'The cloud may still list the node, whose name is unknown here; find it there with "kubectl get nodes" and remove it',
    ];
  }
  const why = cloud.state === 'unknown' ? ` (${cloud.reason})` : '';
  return [`The cloud may still list the node "${node}"${why}; remove it there with "kubectl delete node ${node}"`];
}

function runtimeNotes({ runtime: { problem } }: ResetFacts): readonly string[] {
  return problem === undefined ? [] : [`No pods were removed: ${problem}`];
}
