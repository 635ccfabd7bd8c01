import { compareFolders, type Kept } from '@fenestra/steps';
import type { NodeSession } from '@fenestra/session';
import { askCloud, type CloudAnswer } from './ask-cloud.ts';
import { gatherResetFacts, type ResetFacts } from './facts.ts';
import type { NodeReset } from './reset-node.ts';

/** What a reset came to. */
export interface ResetReport {
  /** `undefined` where nothing told its name. */
  readonly node: string | undefined;
  readonly removed: readonly string[];
  readonly kept: readonly Kept[];
  /** Whether the cloud still lists the node; unknown where it could not be asked. */
  readonly inCloud: boolean | 'unknown';
  /** What could not be done or asked, and what to do about it. */
  readonly notes: readonly string[];
}

/** Looks again, so that the report tells what is and not what was planned. */
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

/** Tells what changed between two looks at the machine, and what the steps in between had to say. */
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
