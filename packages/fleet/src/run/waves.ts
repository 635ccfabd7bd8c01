import type { BatchNode } from '../inventory/batch.ts';
import type { HaltRule, Wave } from './policy.ts';
import type { PlannedWave } from './record.ts';
import type { NodeStanding } from './run-state.ts';

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
