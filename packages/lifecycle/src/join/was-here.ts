import { inspectJournal } from '@fenestra/kernel';
import { nodeJournals } from '../change-node.ts';
import type { NodeSession } from '../node-session.ts';

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
    if (await tellsOf(path, place)) return true;
  }
  return false;
}

async function tellsOf(path: string, { nodeName, cloud }: NodePlace): Promise<boolean> {
  const { plan } = await inspectJournal(path);
  const steps = plan?.steps ?? [];
  const claims = steps.some(
    ({ step }) => step.kind === 'claim-node' && step['nodeName'] === nodeName && step['cloud'] === cloud,
  );
  return claims && steps.some(({ index, step }) => step.kind === 'start-service' && hasBegun(plan?.progress[index]));
}

function hasBegun(progress: { readonly state: string } | undefined): boolean {
  return progress !== undefined && progress.state !== 'pending';
}
