import type { NodePart } from './node-worker.ts';
import type { BatchFailure, BatchNodeState } from '../report/events.ts';
import type { BatchNode } from '../inventory/batch.ts';
import { endStateOf } from './retry.ts';
import {
  deliverPart,
  executePart,
  LINK,
  previewPart,
  proveAgainPart,
  provePart,
  rollBackPart,
  surveyPart,
} from './node-parts.ts';
import { isChanged, isSettled } from './run-state.ts';
import type { RunContext } from './run-context.ts';
import { openConcurrencySlot, type ConcurrencySlot } from './concurrency-slot.ts';
import type { PartEnd } from './try-part.ts';

type Act = (run: RunContext, node: BatchNode, slot: ConcurrencySlot) => Promise<PartEnd>;

/** Surveys a node and changes nothing on it. */
export async function surveyNode(run: RunContext, node: BatchNode): Promise<void> {
  await withSlot(run, async (slot) => {
    const end = await surveyPart(run, node, slot);
    if (end.kind === 'failed') await fail(run, node, end.failure);
    await tidy(run, node, slot);
  });
}

/** Continues a node's work until it is settled; `settled` is called as soon as the state is known, before tidying. */
export async function changeNode(run: RunContext, node: BatchNode, settled: () => Promise<void>): Promise<void> {
  await withSlot(run, async (slot) => {
    await goOn(run, node, slot);
    await settled();
    if (!mayBeRolledBack(run, node)) await tidy(run, node, slot);
  });
}

/** Removes everything of the run from a settled node. */
export async function tidyNode(run: RunContext, node: BatchNode): Promise<void> {
  await withSlot(run, async (slot) => tidy(run, node, slot));
}

/** Proves again that a changed node is healthy; one that is not has failed, and `settled` is called. */
export async function proveAgain(run: RunContext, node: BatchNode, settled: () => Promise<void>): Promise<void> {
  await withSlot(run, async (slot) => {
    const end = await proveAgainPart(run, node, slot);
    if (end.kind !== 'failed') return;
    await fail(run, node, end.failure);
    await settled();
    if (!mayBeRolledBack(run, node)) await tidy(run, node, slot);
  });
}

/** Rolls a node back; keeps the node's own failure as the reason, if it has one. */
export async function rollNodeBack(run: RunContext, node: BatchNode): Promise<void> {
  await withSlot(run, async (slot) => {
    await undo(run, node, slot);
    await tidy(run, node, slot);
  });
}

/** A rollback needs the run's folder on the node, which is therefore kept until the wave has ended. */
function mayBeRolledBack(run: RunContext, node: BatchNode): boolean {
  return run.options.policy.onHalt === 'roll-back' && isChanged(run.standing(node));
}

async function withSlot(run: RunContext, work: (slot: ConcurrencySlot) => Promise<void>): Promise<void> {
  const slot = openConcurrencySlot(run.budgets);
  try {
    await work(slot);
  } finally {
    slot.release();
  }
}

async function goOn(run: RunContext, node: BatchNode, slot: ConcurrencySlot): Promise<void> {
  const { part } = run.standing(node);
  if (part === 'roll-back') return undo(run, node, slot);
  for (const act of actsFrom(part, run.surveyed.has(node.name))) {
    const end = await act(run, node, slot);
    if (end.kind === 'stopped') return stop(run, node, slot);
    if (end.kind === 'failed') return fail(run, node, end.failure);
    if (isSettled(run.standing(node))) return;
  }
  await settle(run, node, 'done');
}

/** What is left to do. Without a started command the node is surveyed again, unless this process has just done so. */
function actsFrom(part: Exclude<NodePart, 'roll-back'> | undefined, surveyed: boolean): readonly Act[] {
  switch (part) {
    case undefined:
    case 'survey':
    case 'deliver':
      return [...(surveyed ? [] : [surveyPart]), deliverPart, previewPart, executePart, provePart];
    case 'execute':
      return [executePart, provePart];
    case 'prove':
      return [provePart];
  }
}

/** A node whose command was not started is held; one in an intermediate state is rolled back. */
async function stop(run: RunContext, node: BatchNode, slot: ConcurrencySlot): Promise<void> {
  const { part } = run.standing(node);
  if (part === 'execute' || part === 'prove') return undo(run, node, slot);
  await settle(run, node, 'held');
}

async function undo(run: RunContext, node: BatchNode, slot: ConcurrencySlot): Promise<void> {
  const { failure } = run.standing(node);
  const end = await rollBackPart(run, node, slot);
  if (end.kind === 'failed') await fail(run, node, end.failure);
  else await settle(run, node, 'rolled-back', failure);
}

async function fail(run: RunContext, node: BatchNode, failure: BatchFailure): Promise<void> {
  await settle(run, node, endStateOf(failure, run.standing(node).part ?? 'survey'), failure);
}

async function settle(
  run: RunContext,
  { name }: BatchNode,
  state: BatchNodeState,
  failure?: BatchFailure,
): Promise<void> {
  if (failure !== undefined) run.options.records.log(name, `${state}: ${failure.message} (${failure.code})`);
  await run.journal.append({ type: 'node', node: name, state, ...(failure === undefined ? {} : { failure }) });
}

/** Removes everything of the run from the node. A failure to do so does not fail the node. */
async function tidy(run: RunContext, node: BatchNode, slot: ConcurrencySlot): Promise<void> {
  const { survey, tidied } = run.standing(node);
  if (tidied || !(await slot.hold(LINK, 'started', run.gone))) return;
  const context = run.workContext(node, run.gone);
  try {
    await run.options.worker.tidy(node, survey, context);
  } catch (error) {
    context.log(`cannot tidy up: ${error instanceof Error ? error.message : String(error)}`);
    return;
  }
  await run.journal.append({ type: 'tidied', node: node.name });
}
