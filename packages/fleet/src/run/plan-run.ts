import type { BatchNode } from '../inventory/batch-node.ts';
import { surveyAll, wavesOf } from './conduct.ts';
import type { PlannedWave } from './record.ts';
import type { PlannedNode, RunOptions, RunPlan, RunRecords } from './run.ts';
import { openState, type NodeStanding } from './run-state.ts';
import { createRunContext, type RunContext } from './run-context.ts';

/** What a plan is made from: nothing is recorded. */
export type PlanOptions = Omit<RunOptions, 'records' | 'batch'>;

const NOT_KEPT: RunRecords = { earlier: [], append: async () => {}, log: () => {} };

/** Surveys all nodes and returns what a run would do; changes nothing. */
export async function planRun(options: PlanOptions): Promise<RunPlan> {
  const run = planningContext(options);
  await surveyAll(run);
  run.gone.throwIfAborted();
  const waves = wavesOf(run);
  return { waves, nodes: options.nodes.map((node) => plannedNode(run.standing(node), waves)) };
}

function planningContext(options: PlanOptions): RunContext {
  const batch = { file: '', digest: '' };
  const nodes = options.nodes.map(({ name, groups, shownCommand }: BatchNode) => ({ name, groups, shownCommand }));
  const opened = { type: 'opened', time: '', run: options.id, batch, nodes } as const;
  return createRunContext({ ...options, batch, records: NOT_KEPT }, openState(opened));
}

function plannedNode({ name, state, survey, failure }: NodeStanding, waves: readonly PlannedWave[]): PlannedNode {
  const wave = waves.find(({ nodes }) => nodes.includes(name))?.name;
  return { name, fate: fateOf(state), wave, survey, failure };
}

function fateOf(state: NodeStanding['state']): PlannedNode['fate'] {
  if (state === 'unchanged') return 'nothing';
  return state === 'unreachable' || state === 'failed' ? state : 'change';
}
