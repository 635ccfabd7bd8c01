import type { BatchFailure, BatchNodeState } from '@fenestra/contracts/batch';
import type { BatchNode } from '../inventory/batch-node.ts';
import { endStateOf } from './failure.ts';
import { deliverPart, executePart, LINK, proveAgainPart, provePart, rollBackPart, surveyPart } from './node-parts.ts';
import type { NodePart } from './parts.ts';
import { isChanged, isSettled } from './run-state.ts';
import type { Scene } from './scene.ts';
import { takeSeat, type Seat } from './seat.ts';
import type { PartEnd } from './try-part.ts';

type Act = (scene: Scene, node: BatchNode, seat: Seat) => Promise<PartEnd>;

/** Looks at a node, and leaves it at that. */
export async function surveyNode(scene: Scene, node: BatchNode): Promise<void> {
  await seated(scene, async (seat) => {
    const end = await surveyPart(scene, node, seat);
    if (end.kind === 'failed') await fail(scene, node, end.failure);
    await tidy(scene, node, seat);
  });
}

/** Takes a node from where it stands to its end; `settled` is told as soon as that is known, before the node is tidied. */
export async function changeNode(scene: Scene, node: BatchNode, settled: () => Promise<void>): Promise<void> {
  await seated(scene, async (seat) => {
    await goOn(scene, node, seat);
    await settled();
    if (!mayBePutBack(scene, node)) await tidy(scene, node, seat);
  });
}

/** Leaves nothing of the run on a node that has come to its end. */
export async function tidyNode(scene: Scene, node: BatchNode): Promise<void> {
  await seated(scene, async (seat) => tidy(scene, node, seat));
}

/** Asks whether a node that was changed is still as it should be; one that is not has failed, and `settled` is told. */
export async function proveAgain(scene: Scene, node: BatchNode, settled: () => Promise<void>): Promise<void> {
  await seated(scene, async (seat) => {
    const end = await proveAgainPart(scene, node, seat);
    if (end.kind !== 'failed') return;
    await fail(scene, node, end.failure);
    await settled();
    if (!mayBePutBack(scene, node)) await tidy(scene, node, seat);
  });
}

/** Undoes what was done to a node, and keeps in mind why, if it was itself what went wrong. */
export async function rollNodeBack(scene: Scene, node: BatchNode): Promise<void> {
  await seated(scene, async (seat) => {
    await undo(scene, node, seat);
    await tidy(scene, node, seat);
  });
}

/** What the way back needs lies in the run's folder there, which is kept until the wave has come to its end. */
function mayBePutBack(scene: Scene, node: BatchNode): boolean {
  return scene.options.policy.onHalt === 'roll-back' && isChanged(scene.standing(node));
}

async function seated(scene: Scene, work: (seat: Seat) => Promise<void>): Promise<void> {
  const seat = takeSeat(scene.slots);
  try {
    await work(seat);
  } finally {
    seat.leave();
  }
}

async function goOn(scene: Scene, node: BatchNode, seat: Seat): Promise<void> {
  const { part } = scene.standing(node);
  if (part === 'roll-back') return undo(scene, node, seat);
  for (const act of actsFrom(part, scene.surveyed.has(node.name))) {
    const end = await act(scene, node, seat);
    if (end.kind === 'stopped') return stop(scene, node, seat);
    if (end.kind === 'failed') return fail(scene, node, end.failure);
    if (isSettled(scene.standing(node))) return;
  }
  await settle(scene, node, 'done');
}

/**
 * What is left to do to a node; one on which no command was begun is looked at again, unless this process has just done
 * that: what is sent there may be another program than an earlier process had.
 */
function actsFrom(part: Exclude<NodePart, 'roll-back'> | undefined, surveyed: boolean): readonly Act[] {
  switch (part) {
    case undefined:
    case 'survey':
    case 'deliver':
      return [...(surveyed ? [] : [surveyPart]), deliverPart, executePart, provePart];
    case 'execute':
      return [executePart, provePart];
    case 'prove':
      return [provePart];
  }
}

/** A node that had not begun is held; one that is neither as it was nor as it should be is put back. */
async function stop(scene: Scene, node: BatchNode, seat: Seat): Promise<void> {
  const { part } = scene.standing(node);
  if (part === 'execute' || part === 'prove') return undo(scene, node, seat);
  await settle(scene, node, 'held');
}

async function undo(scene: Scene, node: BatchNode, seat: Seat): Promise<void> {
  const { failure } = scene.standing(node);
  const end = await rollBackPart(scene, node, seat);
  if (end.kind === 'failed') await fail(scene, node, end.failure);
  else await settle(scene, node, 'rolled-back', failure);
}

async function fail(scene: Scene, node: BatchNode, failure: BatchFailure): Promise<void> {
  await settle(scene, node, endStateOf(failure, scene.standing(node).part ?? 'survey'), failure);
}

async function settle(scene: Scene, { name }: BatchNode, state: BatchNodeState, failure?: BatchFailure): Promise<void> {
  if (failure !== undefined) scene.options.records.log(name, `${state}: ${failure.message} (${failure.code})`);
  await scene.ledger.tell({ type: 'node', node: name, state, ...(failure === undefined ? {} : { failure }) });
}

/** Leaves nothing of the run there. That it cannot be done is no failure of the node. */
async function tidy(scene: Scene, node: BatchNode, seat: Seat): Promise<void> {
  const { survey, tidied } = scene.standing(node);
  if (tidied || !(await seat.move(LINK, 'going-on', scene.gone))) return;
  const context = scene.context(node, scene.gone);
  try {
    await scene.options.worker.tidy(node, survey, context);
  } catch (error) {
    context.log(`cannot tidy up: ${error instanceof Error ? error.message : String(error)}`);
    return;
  }
  await scene.ledger.tell({ type: 'tidied', node: node.name });
}
