import { inspectJournal, type PlanProgress } from '@fenestra/kernel';
import { nodeJournals, type NodeSession } from '@fenestra/session';

/** A node of a cloud. */
export interface NodePlace {
  readonly nodeName: string;
  readonly cloud: string;
}

/**
 * Whether an agent ran here as that node before, as the journals tell: a join that was undone, or a node that was
 * reset, leaves its Node object in the cloud, which must not keep the same machine from joining again.
 */
export async function wasHere(session: NodeSession, place: NodePlace): Promise<boolean> {
  for (const path of await nodeJournals(session).list()) {
    const { plan } = await inspectJournal(path);
    if (plan !== undefined && ranAs(plan, place)) return true;
  }
  return false;
}

/** Whether a run was a join as that node, and came as far as starting its agent. */
export function ranAs({ steps, progress }: PlanProgress, { nodeName, cloud }: NodePlace): boolean {
  const claims = steps.some(
    ({ step }) => step.kind === 'claim-node' && step['nodeName'] === nodeName && step['cloud'] === cloud,
  );
  const started = steps.some(
    ({ index, step }) => step.kind === 'start-service' && (progress[index]?.state ?? 'pending') !== 'pending',
  );
  return claims && started;
}
