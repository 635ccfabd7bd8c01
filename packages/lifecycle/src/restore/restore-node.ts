import { planWorkflow, type Plan } from '@fenestra/kernel';
import { changeNode, type NodeChange, type NodeSession } from '@fenestra/session';
import { gatherRestoreFacts, type RestoreFacts, type RestoreWishes } from './facts.ts';
import { RESTORE } from './workflow.ts';

/** Which backup was restored, or would be. */
export interface ChosenBackup {
  readonly archive: string;
  readonly nodeName: string;
  readonly version: string;
  readonly created: string;
}

/** A restore as it would be done. The archive is read and verified for it. */
export async function planRestore(
  session: NodeSession,
  wishes: RestoreWishes,
): Promise<{ readonly plan: Plan; readonly backup: ChosenBackup }> {
  const facts = await gatherRestoreFacts(session, wishes);
  return { plan: planWorkflow(RESTORE, facts), backup: chosen(facts) };
}

/** Makes this machine the node that was backed up, or leaves it as it was. */
export async function restoreNode(
  session: NodeSession,
  wishes: RestoreWishes,
  signal: AbortSignal,
): Promise<{ readonly change: NodeChange; readonly backup: ChosenBackup }> {
  const makePlan = async () => planRestore(session, wishes);
  const { change, planned } = await changeNode(session, 'keadm restore', makePlan, signal);
  return { change, backup: planned.backup };
}

function chosen({ archive, manifest }: RestoreFacts): ChosenBackup {
  const { nodeName, version, created } = manifest;
  return { archive: archive.path, nodeName, version, created };
}
