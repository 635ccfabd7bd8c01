import type { AbandonedRun, ScriptedChange } from '@fenestra/session';
import type { KubeResetReport } from '@fenestra/worker';
import { changeResult } from '../../cli/change-result.ts';
import { recoveredText } from '../../cli/recovered-text.ts';
import { errorData, errorText } from '../../cli/report-error.ts';
import type { CommandResult } from '../../cli/result.ts';

/** How a reset ended. Without a report it was undone. */
export function resetResult(
  change: ScriptedChange,
  abandoned: readonly AbandonedRun[],
  report?: KubeResetReport,
): CommandResult {
  const ended = changeResult(change);
  const data = { ...ended.data, abandoned, ...report };
  const given = abandoned.map(abandonedText);
  if (report === undefined) return { ...ended, data, text: [...given, ended.text].join('\n') };
  const text = [...given, reportText(change, report)].join('\n');
  const { scriptFailure } = change;
  if (scriptFailure === undefined) return { data, text, exitCode: 0 };
  const failed = { ...data, error: errorData(scriptFailure) };
  return { data: failed, text: `${text}\n${errorText(scriptFailure)}`, exitCode: scriptFailure.exitCode };
}

/** The report as people read it. */
function reportText(
  { outcome, recovered }: Pick<ScriptedChange, 'outcome' | 'recovered'>,
  { node, removed, kept, notes }: KubeResetReport,
): string {
  const done = outcome === 'applied';
  return [
    ...recovered.map(recoveredText),
    done ? `Removed the worker "${node}" from this machine` : 'Nothing to do: this machine has no worker',
    ...removed.map((path) => `  deleted  ${path}`),
    ...(done ? kept : []).map(({ path, why }) => `  kept     ${path}: ${why}`),
    ...notes,
  ].join('\n');
}

function abandonedText({ command, why, journal }: AbandonedRun): string {
  return `Abandoned the operation "${command}", which could not be finished: ${why}; its journal is now "${journal}"`;
}
