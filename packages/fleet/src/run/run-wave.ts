import type { BatchNode } from '../inventory/batch-node.ts';
import { changeNode, proveAgain, rollNodeBack, tidyNode } from './change-node.ts';
import { forAll } from './for-all.ts';
import { brokenRule } from './halt.ts';
import type { PlannedWave } from './record.ts';
import { isChanged, isSettled } from './run-state.ts';
import type { Scene } from './scene.ts';

const LONGEST_WITHOUT_PROOF_MS = 10_000;

/** Takes the nodes of one wave to their ends, and looks after them until the next may begin, or puts them back. */
export async function runWave(scene: Scene, wave: PlannedWave): Promise<void> {
  const names = new Set(wave.nodes);
  const nodes = scene.options.nodes.filter(({ name }) => names.has(name));
  // A process may have been killed after the failure that broke a rule, and before it could say so.
  await watchRules(scene, wave);
  if (!scene.noMore.aborted) await scene.ledger.tell({ type: 'wave-begun', wave: wave.name, nodes: [...wave.nodes] });
  const unsettled = nodes.filter((node) => !isSettled(scene.standing(node)));
  await forAll(scene, unsettled, async (node) => changeNode(scene, node, async () => heed(scene, wave, node)));
  await soak(scene, wave, nodes);
  await putBack(scene, nodes);
  if (!scene.noMore.aborted) await scene.ledger.tell({ type: 'wave-ended', wave: wave.name });
}

async function heed(scene: Scene, wave: PlannedWave, node: BatchNode): Promise<void> {
  if (scene.standing(node).state === 'failed') await watchRules(scene, wave);
}

async function watchRules(scene: Scene, wave: PlannedWave): Promise<void> {
  if (scene.interrupt.aborted) return;
  const reason = brokenRule(scene.options.policy.halt, wave, scene.ledger.state.nodes);
  if (reason !== undefined) await scene.halt({ wave: wave.name, reason, by: 'rule' });
}

/** The health gate: who was changed is proved again and again, for the last time when the wave has soaked. */
async function soak(scene: Scene, wave: PlannedWave, nodes: readonly BatchNode[]): Promise<void> {
  const isDone = (node: BatchNode): boolean => scene.standing(node).state === 'done';
  if (wave.soakSeconds === 0 || !nodes.some(isDone) || scene.noMore.aborted) return;
  await scene.ledger.tell({ type: 'wave-soaking', wave: wave.name, seconds: wave.soakSeconds });
  const end = scene.options.clock.now().getTime() + wave.soakSeconds * 1000;
  for (let left = wave.soakSeconds * 1000; left > 0;) {
    await wait(scene, Math.min(left, LONGEST_WITHOUT_PROOF_MS));
    if (scene.noMore.aborted) return;
    left = end - scene.options.clock.now().getTime();
    const done = nodes.filter(isDone);
    await forAll(scene, done, async (node) => proveAgain(scene, node, async () => heed(scene, wave, node)));
  }
}

async function wait(scene: Scene, milliseconds: number): Promise<void> {
  await scene.options.clock.wait(milliseconds, scene.noMore).catch((error: unknown) => {
    scene.gone.throwIfAborted();
    if (!scene.noMore.aborted) throw error;
  });
}

/**
 * What a rule has halted is undone, if the file says so: the nodes of this wave that their command has changed. Only now
 * is it known whether they are, so that else they are tidied here.
 */
async function putBack(scene: Scene, nodes: readonly BatchNode[]): Promise<void> {
  if (scene.options.policy.onHalt === 'hold') return;
  const changed = nodes.filter((node) => isChanged(scene.standing(node)));
  const end = scene.ledger.state.halt?.by === 'rule' ? rollNodeBack : tidyNode;
  await forAll(scene, changed, async (node) => end(scene, node));
}
