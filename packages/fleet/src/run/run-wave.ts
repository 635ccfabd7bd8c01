import type { BatchNode } from '../inventory/batch.ts';
import { changeNode, proveAgain, rollNodeBack, tidyNode } from './change-node.ts';
import { brokenRule } from './waves.ts';
import type { PlannedWave } from './record.ts';
import { isChanged, isSettled } from './run-state.ts';
import { forAll, type RunContext } from './run-context.ts';

const LONGEST_WITHOUT_PROOF_MS = 10_000;

/** Runs one wave: changes its nodes, proves them for the soak time, and rolls them back if a rule halted the run. */
export async function runWave(run: RunContext, wave: PlannedWave): Promise<void> {
  const names = new Set(wave.nodes);
  const nodes = run.options.nodes.filter(({ name }) => names.has(name));
  // An earlier process may have been killed after the failure that broke a rule, before it recorded the halt.
  await watchRules(run, wave);
  if (!run.noMore.aborted) await run.journal.append({ type: 'wave-begun', wave: wave.name, nodes: [...wave.nodes] });
  const unsettled = nodes.filter((node) => !isSettled(run.standing(node)));
  await forAll(run, unsettled, async (node) => changeNode(run, node, async () => haltIfRuleBroken(run, wave, node)));
  await soak(run, wave, nodes);
  await rollBackOrTidy(run, nodes);
  if (!run.noMore.aborted) await run.journal.append({ type: 'wave-ended', wave: wave.name });
}

async function haltIfRuleBroken(run: RunContext, wave: PlannedWave, node: BatchNode): Promise<void> {
  if (run.standing(node).state === 'failed') await watchRules(run, wave);
}

async function watchRules(run: RunContext, wave: PlannedWave): Promise<void> {
  if (run.interrupt.aborted) return;
  const reason = brokenRule(run.options.policy.halt, wave, run.journal.state.nodes);
  if (reason !== undefined) await run.halt({ wave: wave.name, reason, by: 'rule' });
}

/** The health gate: changed nodes are proved repeatedly, for the last time at the end of the soak time. */
async function soak(run: RunContext, wave: PlannedWave, nodes: readonly BatchNode[]): Promise<void> {
  const isDone = (node: BatchNode): boolean => run.standing(node).state === 'done';
  if (wave.soakSeconds === 0 || !nodes.some(isDone) || run.noMore.aborted) return;
  await run.journal.append({ type: 'wave-soaking', wave: wave.name, seconds: wave.soakSeconds });
  const end = run.options.clock.now().getTime() + wave.soakSeconds * 1000;
  for (let left = wave.soakSeconds * 1000; left > 0;) {
    await wait(run, Math.min(left, LONGEST_WITHOUT_PROOF_MS));
    if (run.noMore.aborted) return;
    left = end - run.options.clock.now().getTime();
    const done = nodes.filter(isDone);
    await forAll(run, done, async (node) => proveAgain(run, node, async () => haltIfRuleBroken(run, wave, node)));
  }
}

async function wait(run: RunContext, milliseconds: number): Promise<void> {
  await run.options.clock.wait(milliseconds, run.noMore).catch((error: unknown) => {
    run.gone.throwIfAborted();
    if (!run.noMore.aborted) throw error;
  });
}

/** After a halt by rule, rolls the changed nodes back if the policy says so; otherwise tidies them now. */
async function rollBackOrTidy(run: RunContext, nodes: readonly BatchNode[]): Promise<void> {
  if (run.options.policy.onHalt === 'hold') return;
  const changed = nodes.filter((node) => isChanged(run.standing(node)));
  const end = run.journal.state.halt?.by === 'rule' ? rollNodeBack : tidyNode;
  await forAll(run, changed, async (node) => end(run, node));
}
