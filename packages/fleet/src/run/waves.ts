import type { BatchNode } from '../inventory/batch-node.ts';
import type { Wave } from './policy.ts';
import type { PlannedWave } from './record.ts';

/** What the plan needs to know of a node. */
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
