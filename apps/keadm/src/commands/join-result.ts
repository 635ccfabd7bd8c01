import type { JoinFinding, PlannedJoin, ScriptedChange } from '@fenestra/lifecycle';
import { changeResult, dryRunResult } from '../cli/change-result.ts';
import { errorText } from '../cli/report-error.ts';
import type { CommandResult } from '../cli/result.ts';

/** What a dry run of a join shows. */
export function joinPreview({ plan, facts, findings }: PlannedJoin): CommandResult {
  const result = dryRunResult(plan, { node: facts.nodeName, cloud: facts.cloud, checks: checksData(findings) });
  return plan.length === 0 ? { ...result, text: alreadyJoined(facts) } : result;
}

/** How a join ended. */
export function joinResult(change: ScriptedChange, planned: PlannedJoin | undefined): CommandResult {
  const result = changeResult(change);
  if (planned === undefined) return result;
  const { facts, findings, version } = planned;
  const { nodeName: node, cloud } = facts;
  const data = { ...result.data, node, cloud, version, checks: checksData(findings) };
  if (change.outcome === 'reverted') return { ...result, data };
  const joined = `Node "${node}" has joined the cloud at ${cloud}`;
  const sentence = change.outcome === 'unchanged' ? alreadyJoined(facts) : joined;
  const complaint = change.scriptFailure === undefined ? [] : [errorText(change.scriptFailure)];
  return { ...result, data, text: [sentence, ...complaint].join('\n') };
}

/** The warnings of the checks before a join, a line each. */
export function warningLines(findings: readonly JoinFinding[], waived: readonly string[]): string {
  return findings
    .filter(({ name, verdict }) => verdict === 'warn' || (verdict === 'fail' && waived.includes(name)))
    .map(({ name, reason, remedy = '' }) => `  warn    ${name}: ${reason}. ${remedy}\n`)
    .join('');
}

function alreadyJoined({ nodeName, cloud }: PlannedJoin['facts']): string {
  return `This machine is the node "${nodeName}" of the cloud at ${cloud} already: nothing to do`;
}

function checksData(findings: readonly JoinFinding[]): readonly object[] {
  return findings.map(({ name, verdict, reason, remedy }) => ({ name, verdict, reason, remedy }));
}
