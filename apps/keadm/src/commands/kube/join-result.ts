import { placeSteps } from '@fenestra/kernel';
import type { HeardRun, ScriptedChange } from '@fenestra/session';
import type { PlannedKubeJoin } from '@fenestra/worker';
import { changeResult, dryRunResult } from '../../cli/change-result.ts';
import { errorText } from '../../cli/report-error.ts';
import type { CommandResult } from '../../cli/result.ts';
import { findingsData } from '../../cli/findings-text.ts';

/** What a dry run of a join shows. */
export function joinPreview(planned: PlannedKubeJoin): CommandResult {
  const result = dryRunResult(planned.plan, dataOf(planned));
  return planned.plan.length === 0 ? { ...result, text: alreadyJoined(planned) } : result;
}

/** How a join ended. */
export function joinResult(
  change: ScriptedChange,
  planned: PlannedKubeJoin,
  { notes, begun }: HeardRun,
): CommandResult {
  const result = changeResult(change);
  const { nodeName: node, server, kubeletVersion } = planned.facts;
  const data = { ...result.data, ...dataOf(planned) };
  if (change.outcome === 'reverted') {
    const left = [...notes, ...traceInCluster(planned, begun)];
    return { ...result, data: { ...data, notes: left }, text: [result.text, ...left].join('\n') };
  }
  const joined = `Node "${node}" has joined the cluster at ${server}, with kubelet ${kubeletVersion}`;
  const sentence = change.outcome === 'unchanged' ? alreadyJoined(planned) : joined;
  const complaint = change.scriptFailure === undefined ? [] : [errorText(change.scriptFailure)];
  return { ...result, data: { ...data, notes }, text: [sentence, ...notes, ...complaint].join('\n') };
}

/** A node cannot delete itself, so a kubelet that ran for a while may have left it in the cluster. */
function traceInCluster({ facts, plan }: PlannedKubeJoin, begun: ReadonlySet<number>): readonly string[] {
  const started = placeSteps(plan).some(({ index, step }) => step.kind === 'start-service' && begun.has(index));
  if (!started || facts.joining === undefined) return [];
  const { nodeName } = facts;
  return [`The cluster may list the node "${nodeName}"; remove it there with "kubectl delete node ${nodeName}"`];
}

function alreadyJoined({ facts: { nodeName, server } }: PlannedKubeJoin): string {
  return `Nothing to do: this machine is already the worker "${nodeName}" of the cluster at ${server}`;
}

function dataOf({ facts, findings, warnings }: PlannedKubeJoin): Readonly<Record<string, unknown>> {
  const { nodeName: node, server, kubeletVersion: version, criSocket } = facts;
  return { node, server, version, criSocket, checks: findingsData(findings), warnings };
}
