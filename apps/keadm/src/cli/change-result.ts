import { OperatorError, type Plan, type Recovered } from '@fenestra/kernel';
import type { ScriptedChange } from '@fenestra/session';
import { planData, planText } from './progress.ts';
import { errorData, errorText } from './report-error.ts';
import { success, type CommandResult } from './result.ts';

/** What a dry run shows: exactly the plan that would run. */
export function dryRunResult(plan: Plan, more: Readonly<Record<string, unknown>> = {}): CommandResult {
  const text = plan.length === 0 ? 'Nothing to do' : planText(plan);
  return success({ dryRun: true, plan: planData(plan), ...more }, text);
}

/** How a change of the node, and the script after it, ended. */
export function changeResult({ outcome, plan, recovered, failure, scriptFailure }: ScriptedChange): CommandResult {
  const data = { outcome, recovered, plan: planData(plan) };
  const done = outcome === 'applied' ? 'Done' : 'Nothing to do: already up to date';
  if (scriptFailure !== undefined) {
    const text = `${done}\n${errorText(scriptFailure)}`;
    return { data: { ...data, error: errorData(scriptFailure) }, text, exitCode: scriptFailure.exitCode };
  }
  if (outcome !== 'reverted') return success(data, done);
  if (!(failure instanceof OperatorError)) throw failure;
  const text = `${errorText(failure)}Everything was undone; the machine is as it was before.`;
  return { data: { ...data, error: errorData(failure) }, text, exitCode: failure.exitCode };
}

/** What recovery did with a journal that was not finished, in one line. */
export function recoveredText({ command, outcome, path }: Recovered): string {
  switch (outcome) {
    case 'applied':
      return `The interrupted operation "${command}" was finished`;
    case 'reverted':
      return `The interrupted operation "${command}" was undone`;
    case 'set-aside':
      return `The damaged journal of "${command}", which ended before, is now "${path}"`;
  }
}
