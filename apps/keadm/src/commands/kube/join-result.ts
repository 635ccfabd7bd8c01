import type { PlannedKubeJoin } from '@fenestra/worker';
import type { ScriptedChange } from '@fenestra/steps';
import { changeResult, dryRunResult } from '../../cli/change-result.ts';
import { errorText } from '../../cli/report-error.ts';
import type { CommandResult } from '../../cli/result.ts';
import { checksData } from './checks-text.ts';

/** What a dry run of a join shows. */
export function joinPreview(planned: PlannedKubeJoin): CommandResult {
  const result = dryRunResult(planned.plan, dataOf(planned));
  return planned.plan.length === 0 ? { ...result, text: alreadyJoined(planned) } : result;
}

/** How a join ended. `notes` is what its steps had to say for good. */
export function joinResult(
  change: ScriptedChange,
  planned: PlannedKubeJoin | undefined,
  notes: readonly string[],
): CommandResult {
  const result = changeResult(change);
  if (planned === undefined) return result;
  const { nodeName: node, server } = planned.facts;
  const data = { ...result.data, ...dataOf(planned), notes };
  if (change.outcome === 'reverted') {
    const left = [...notes, ...traceInCluster(change, planned)];
    return { ...result, data: { ...data, notes: left }, text: [result.text, ...left].join('\n') };
  }
  const joined = `Node "${node}" has joined the cluster at ${server}, with kubelet ${planned.facts.kubeletVersion}`;
  const sentence = change.outcome === 'unchanged' ? alreadyJoined(planned) : joined;
  const complaint = change.scriptFailure === undefined ? [] : [errorText(change.scriptFailure)];
  return { ...result, data, text: [sentence, ...notes, ...complaint].join('\n') };
}

/** A node cannot delete itself, so a join that failed late may have left it in the cluster. */
function traceInCluster(change: ScriptedChange, { facts, plan }: PlannedKubeJoin): readonly string[] {
  const proved = plan.some(({ steps }) => steps.some(({ kind }) => kind === 'start-service'));
  if (!proved || facts.joining === undefined || !isLate(change)) return [];
  return [
    `The cluster may list the node "${facts.nodeName}", as NotReady; remove it there with "kubectl delete node ${facts.nodeName}"`,
  ];
}

/** Whether the kubelet was started before it came to the failure. */
function isLate({ failure }: ScriptedChange): boolean {
  const early = ['CERTIFICATE_REJECTED', 'RELEASE_INVALID', 'RELEASE_UNTRUSTED', 'DOWNLOAD_FAILED', 'DISK_FULL'];
  const code = failure instanceof Error && 'code' in failure ? String(failure.code) : '';
  return !early.includes(code);
}

function alreadyJoined({ facts: { nodeName, server } }: PlannedKubeJoin): string {
  return `This machine is the worker "${nodeName}" of the cluster at ${server} already: nothing to do`;
}

function dataOf({ facts, findings, warnings }: PlannedKubeJoin): Readonly<Record<string, unknown>> {
  const { nodeName: node, server, kubeletVersion: version, criSocket } = facts;
  return { node, server, version, criSocket, checks: checksData(findings), warnings };
}
