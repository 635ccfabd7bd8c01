import type { HaltRule } from './policy.ts';
import type { PlannedWave } from './record.ts';
import type { NodeStanding } from './run-state.ts';

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
