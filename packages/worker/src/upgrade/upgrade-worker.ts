import { OperatorError, type Plan, planWorkflow } from '@fenestra/kernel';
import { awaitKubelet } from '@fenestra/steps';
import { changeNode, heardSession, type NodeChange } from '@fenestra/session';
import type { WorkerSession } from '../worker-session.ts';
import { type GatheredUpgrade, gatherUpgrade, type KubeUpgradeWishes } from './gather-upgrade-facts.ts';
import { KUBE_UPGRADE, proofOf } from './workflow.ts';
import type { KubeUpgradeFacts } from './upgrade-facts.ts';

/** How a change of version ended. */
export interface WorkerUpgrade extends NodeChange {
  readonly node: string;
  readonly from: string;
  readonly to: string;
  readonly notes: readonly string[];
  /** After a way back: whether the old version works again, or what is wrong with it. */
  readonly backOnOld?: 'works' | OperatorError;
}

/** A change of version that can be run. */
export interface PlannedUpgrade extends GatheredUpgrade {
  readonly plan: Plan;
}

/** What a change of version would do. */
export async function planKubeUpgrade(
  session: WorkerSession,
  wishes: KubeUpgradeWishes,
  signal: AbortSignal,
): Promise<PlannedUpgrade> {
  const gathered = await gatherUpgrade(session, wishes, signal);
  return { ...gathered, plan: planWorkflow(KUBE_UPGRADE, gathered.facts) };
}

/** Brings the worker to another version, or, if that one does not prove itself, back to where it was. */
export async function upgradeWorker(
  session: WorkerSession,
  makePlan: () => Promise<PlannedUpgrade>,
  signal: AbortSignal,
): Promise<WorkerUpgrade> {
  const received = heardSession(session);
  const { change, planned } = await changeNode(received.session, 'keadm kube upgrade', makePlan, signal);
  const { facts } = planned;
  const ended = {
    ...change,
    notes: received.notes,
    node: facts.nodeName,
    from: facts.current.version,
    to: facts.targetVersion,
  };
  const ranBefore = facts.service.state === 'running';
  if (change.outcome !== 'reverted' || !ranBefore) return ended;
  return { ...ended, backOnOld: await seeOldVersion(session, facts) };
}

/** An operator who reads that everything was undone wants to know that the node is there again. */
async function seeOldVersion(
  { ports }: Pick<WorkerSession, 'ports'>,
  facts: KubeUpgradeFacts,
): Promise<'works' | OperatorError> {
  const proof = { ...proofOf(facts, facts.current.version), settleSeconds: 0 };
  try {
    await awaitKubelet(proof, { ports, say: () => {} }, new AbortController().signal);
    return 'works';
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
}
