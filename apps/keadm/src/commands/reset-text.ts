import type { NodeReset, ResetFacts, ResetReport } from '@fenestra/lifecycle';
import type { AbandonedRun, ScriptedChange } from '@fenestra/session';
import { changeResult } from '../cli/change-result.ts';
import { recoveredText } from '../cli/recovered-text.ts';
import { errorData, errorText } from '../cli/report-error.ts';
import type { CommandResult } from '../cli/result.ts';

/** What a dry run tells besides the plan. */
export function resetPreview({
  nodeName,
  nameKnown,
  kept,
  cloud,
  runtime,
}: ResetFacts): Readonly<Record<string, unknown>> {
  return { node: nameKnown ? nodeName : null, kept, cloud, runtime };
}

/** How a reset ended. Without a report it was undone. */
export function resetResult(
  change: ScriptedChange,
  abandoned: readonly AbandonedRun[],
  report?: ResetReport,
): CommandResult {
  const ended = changeResult(change);
  const data = { ...ended.data, abandoned, ...report };
  if (report === undefined) return { ...ended, data, text: [...abandoned.map(abandonedText), ended.text].join('\n') };
  const { scriptFailure } = change;
  const text = reportText({ ...change, abandoned }, report);
  if (scriptFailure === undefined) return { data, text, exitCode: 0 };
  const failed = { ...data, error: errorData(scriptFailure) };
  return { data: failed, text: `${text}\n${errorText(scriptFailure)}`, exitCode: scriptFailure.exitCode };
}

/** The report as people read it. */
export function reportText(
  { outcome, recovered, abandoned }: Pick<NodeReset, 'outcome' | 'recovered' | 'abandoned'>,
  report: ResetReport,
): string {
  const { node, removed, kept, notes } = report;
  const head =
    outcome === 'applied'
      ? `Removed the node${node === undefined ? '' : ` "${node}"`} from this machine`
      : 'Nothing to do: this machine has no node';
  return [
    ...recovered.map(recoveredText),
    ...abandoned.map(abandonedText),
    head,
    ...removed.map((path) => `  deleted  ${path}`),
    ...kept.map(({ path, why }) => `  kept     ${path}: ${why}`),
    ...notes,
  ].join('\n');
}

function abandonedText({ command, why, journal }: AbandonedRun): string {
  return `Abandoned the operation "${command}", which could not be finished: ${why}; its journal is now "${journal}"`;
}
