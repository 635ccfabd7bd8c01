import type { PlannedJoin } from '@fenestra/lifecycle';
import type { ScriptedChange } from '@fenestra/session';
import { changeResult, dryRunResult } from '../cli/change-result.ts';
import { findingsData } from '../cli/findings-text.ts';
import { errorText } from '../cli/report-error.ts';
import type { CommandResult } from '../cli/result.ts';

/** What a dry run of a join shows. */
export function joinPreview({ plan, facts, findings, notApplied }: PlannedJoin): CommandResult {
  const { nodeName: node, cloud } = facts;
  const result = dryRunResult(plan, { node, cloud, checks: findingsData(findings), notApplied });
  const text = plan.length === 0 ? alreadyJoined(facts) : result.text;
  return { ...result, text: [text, ...notAppliedLines(notApplied)].join('\n') };
}

/** How a join ended. */
export function joinResult(change: ScriptedChange, planned: PlannedJoin): CommandResult {
  const result = changeResult(change);
  const { facts, findings, version, notApplied } = planned;
  const { nodeName: node, cloud } = facts;
  const data = { ...result.data, node, cloud, version, checks: findingsData(findings), notApplied };
  if (change.outcome === 'reverted') return { ...result, data };
  const joined = `Node "${node}" has joined the cloud at ${cloud}`;
  const sentence = change.outcome === 'unchanged' ? alreadyJoined(facts) : joined;
  const complaint = change.scriptFailure === undefined ? [] : [errorText(change.scriptFailure)];
  return { ...result, data, text: [sentence, ...notAppliedLines(notApplied), ...complaint].join('\n') };
}

/** A node that is there stays as it is, and whoever asked for something else must not believe it was done. */
export function notAppliedLines(notApplied: PlannedJoin['notApplied']): readonly string[] {
  const { settings, version, restartDelaysSeconds: delays } = notApplied;
  const restarts =
    'Ignored: restart delays. Only the first join sets them; to change them, run "keadm reset" and join again';
  const agent = `Not installed: ${version}. The node keeps its agent; to replace it, run "keadm upgrade"`;
  const config = `Not changed: ${settings.join(', ')}. The node keeps its settings; to change them, run "keadm config set" or "keadm config apply"`;
  return [
    ...(settings.length === 0 ? [] : [config]),
    ...(version === undefined ? [] : [agent]),
    ...(delays === undefined ? [] : [restarts]),
  ];
}

function alreadyJoined({ nodeName, cloud }: PlannedJoin['facts']): string {
  return `Nothing to do: this machine is already the node "${nodeName}" of the cloud at ${cloud}`;
}
