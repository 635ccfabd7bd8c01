import type { BatchNode } from '../inventory/batch-node.ts';
import { surveyNode, tidyNode } from './change-node.ts';
import { forAll } from './for-all.ts';
import { missingNodes } from './halt.ts';
import type { PlannedWave } from './record.ts';
import type { RunResult } from './run.ts';
import { countsOf, outcomeOf, resultOf } from './run-result.ts';
import { isSettled, type NodeStanding } from './run-state.ts';
import { runWave } from './run-wave.ts';
import type { Scene } from './scene.ts';
import { planWaves } from './waves.ts';

/** Says that the run begins or goes on. What an earlier process has halted by rule, and not to the end, stays halted. */
export async function beginRun(scene: Scene, resumed: boolean): Promise<void> {
  const { id, nodes, policy } = scene.options;
  const waves = policy.waves.map(({ name }) => name);
  await scene.ledger.tell({ type: 'run-begun', run: id, nodes: nodes.length, resumed, waves });
  const { halt } = scene.ledger.state;
  if (halt !== undefined) await scene.halt(halt);
}

/** Takes a run that has begun from where it stands to its end. */
export async function conductRun(scene: Scene): Promise<RunResult> {
  const { nodes } = scene.options;
  const untidied = nodes.filter((node) => isLeftOver(scene.standing(node)));
  const { endedWaves } = scene.ledger.state;
  for (const wave of (await plannedWaves(scene)).filter(({ name }) => !endedWaves.has(name))) {
    await runWave(scene, wave);
    if (scene.noMore.aborted) break;
  }
  await forAll(scene, nodes, async (node) => holdUnlessSettled(scene, node));
  await forAll(scene, untidied, async (node) => tidyNode(scene, node));
  await scene.ledger.tell({
    type: 'run-ended',
    outcome: outcomeOf(scene.ledger.state),
    counts: { ...countsOf(scene.ledger.state) },
  });
  return resultOf(scene.ledger.state);
}

/** Looks at all the nodes that have not begun, which is what a plan is made from. */
export async function surveyAll(scene: Scene): Promise<void> {
  const unsettled = scene.options.nodes.filter((node) => !isSettled(scene.standing(node)));
  await forAll(scene, unsettled, async (node) => surveyNode(scene, node));
}

/** The waves that the nodes make which have to be changed. */
export function wavesOf({ options, ledger }: Scene): readonly PlannedWave[] {
  const toChange = options.nodes.filter(({ name }) => ledger.state.nodes.get(name)?.state === 'waiting');
  return planWaves(toChange, options.policy.waves);
}

async function plannedWaves(scene: Scene): Promise<readonly PlannedWave[]> {
  const { state } = scene.ledger;
  if (state.waves !== undefined) return state.waves;
  await surveyAll(scene);
  const missing = scene.options.policy.unreachable === 'stop' ? missingNodes(state.nodes) : undefined;
  if (missing !== undefined) await scene.halt({ wave: firstWave(scene), reason: missing, by: 'rule' });
  if (scene.noMore.aborted) return [];
  const waves = wavesOf(scene);
  await scene.ledger.tell({ type: 'planned', waves });
  return waves;
}

function firstWave({ options }: Scene): string {
  return options.policy.waves[0]?.name ?? '';
}

async function holdUnlessSettled(scene: Scene, node: BatchNode): Promise<void> {
  if (isSettled(scene.standing(node))) return;
  await scene.ledger.tell({ type: 'node', node: node.name, state: 'held' });
}

/** An earlier process has brought the node to its end, but did not come to tidy it. */
function isLeftOver(node: NodeStanding): boolean {
  return isSettled(node) && !node.tidied;
}
