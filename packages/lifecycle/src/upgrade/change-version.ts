import { OperatorError, planWorkflow, type Plan } from '@fenestra/kernel';
import { awaitHealthy } from '@fenestra/steps';
import { changeNode, type NodeChange, type NodeSession } from '@fenestra/session';
import { gatherUpgradeFacts, type UpgradeFacts, type UpgradeRequest } from './facts.ts';
import { proofOf, CHANGE_VERSION } from './workflow.ts';

/** How a change of version ended. */
export interface VersionChange extends NodeChange {
  readonly from: string;
  readonly to: string;
  /** After a way back: whether the old version works again, or what is wrong with it. */
  readonly backOnOld?: 'works' | OperatorError;
}

/** Finds out which version is wanted: asked once earlier work that was cut off is at its end, which may change the answer. */
export type FindVersion = () => Promise<UpgradeRequest>;

/** What a change of version would do. */
export async function planVersionChange(session: NodeSession, find: FindVersion): Promise<Plan> {
  return planWorkflow(CHANGE_VERSION, await gatherUpgradeFacts(session, await find()));
}

/** Brings the node to another version, or, if that one does not prove itself, back to where it was. */
export async function changeVersion(
  session: NodeSession,
  command: string,
  find: FindVersion,
  signal: AbortSignal,
): Promise<VersionChange> {
  const makePlan = async () => {
    const facts = await gatherUpgradeFacts(session, await find());
    return { plan: planWorkflow(CHANGE_VERSION, facts), facts };
  };
  const { change, planned } = await changeNode(session, command, makePlan, signal);
  const { facts } = planned;
  const ended = { ...change, from: facts.current.version, to: facts.target.version };
  const ranBefore = facts.node.service.state === 'running';
  if (change.outcome !== 'reverted' || !ranBefore) return ended;
  return { ...ended, backOnOld: await seeOldVersion(session, facts) };
}

/** An operator who reads that everything was undone wants to know that the node is there again. */
async function seeOldVersion(session: NodeSession, facts: UpgradeFacts): Promise<'works' | OperatorError> {
  const proof = { ...proofOf({ ...facts, restoring: undefined }, facts.current.agent), settleSeconds: 0 };
  try {
    await awaitHealthy(proof, { ports: session.ports, say: () => {} }, new AbortController().signal);
    return 'works';
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}
