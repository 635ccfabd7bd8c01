import type { BatchNode } from '../inventory/batch.ts';
import { changeNode, proveAgain, rollNodeBack, tidyNode } from './change-node.ts';
import type { HaltRule, Wave } from './policy.ts';
import type { PlannedWave } from './record.ts';
import { forAll, type RunContext } from './run-context.ts';
import { isChanged, isSettled, type NodeStanding } from './run-state.ts';

type Candidate = Pick<BatchNode, 'name' | 'labels'>;

/** Assigns nodes to waves, in the order of the file. The last wave gets the rest; empty waves are omitted. */
export function planWaves(nodes: readonly Candidate[], waves: readonly Wave[]): readonly PlannedWave[] {
  let left = nodes;
  const planned = waves.map((wave, index) => {
    const chosen = new Set(index === waves.length - 1 ? left : choose(wave, nodes, left));
    left = left.filter((node) => !chosen.has(node));
    return { name: wave.name, nodes: [...chosen].map(({ name }) => name), soakSeconds: wave.soakSeconds };
  });
  return planned.filter((wave) => wave.nodes.length > 0);
}

function choose(wave: Wave, all: readonly Candidate[], left: readonly Candidate[]): readonly Candidate[] {
  const fits = (node: Candidate): boolean => hasLabels(node, wave.labels);
  return left.filter(fits).slice(0, countOf(wave.size, all.filter(fits).length));
}

/** A percentage of a few nodes is at least one node. */
function countOf(size: Wave['size'], total: number): number {
  return 'nodes' in size ? size.nodes : Math.max(1, Math.ceil((total * size.percent) / 100));
}

function hasLabels(node: Candidate, labels: Wave['labels']): boolean {
  return Object.entries(labels).every(([key, value]) => node.labels[key] === value);
}

type Nodes = ReadonlyMap<string, NodeStanding>;

/** The halt rule that is broken in this wave, as text for people; `undefined` if none is. */
export function brokenRule(rule: HaltRule, wave: PlannedWave, nodes: Nodes): string | undefined {
  const inWave = wave.nodes.filter((name) => isCounted(nodes.get(name))).length;
  if (inWave > rule.harmlessNodes && inWave * 100 > rule.failedPercent * wave.nodes.length) {
    return `${inWave} of the ${wave.nodes.length} nodes of the wave "${wave.name}" failed; no more than ${rule.failedPercent} % may`;
  }
  const inRun = [...nodes.values()].filter(isCounted).length;
  if (inRun > rule.failedNodes) return `${inRun} nodes failed; no more than ${rule.failedNodes} may`;
  return undefined;
}

/** Why a run whose policy requires every node does not start; `undefined` if all nodes were surveyed. */
export function missingNodes(nodes: Nodes): string | undefined {
  const missing = [...nodes.values()].filter(isMissing).map(({ name }) => name);
  if (missing.length === 0) return undefined;
  return `${missing.length} of ${nodes.size} nodes could not be surveyed, "${missing[0] ?? ''}" first`;
}

/** A failed survey is not evidence about the command. */
function isCounted(node: NodeStanding | undefined): boolean {
  return node?.state === 'failed' && node.part !== 'survey' && !node.excused;
}

function isMissing({ state, part, excused }: NodeStanding): boolean {
  return (state === 'unreachable' || state === 'failed') && part === 'survey' && !excused;
}

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
