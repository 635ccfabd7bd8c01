import type { NodeReset, ResetFacts, ResetReport } from '@fenestra/lifecycle';
import type { AbandonedRun, ScriptedChange } from '@fenestra/session';
import { OperatorError } from '@fenestra/kernel';
import { changeResult, recoveredText } from '../cli/change-result.ts';
import { errorData, errorText } from '../cli/report-error.ts';
import type { CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';

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

/** How a reset of an edge node or a worker ended. Without a report it was undone. */
export function endedReset(
  change: ScriptedChange,
  abandoned: readonly AbandonedRun[],
  reported?: { readonly report: object; readonly text: string },
): CommandResult {
  const ended = changeResult(change);
  const data = { ...ended.data, abandoned, ...reported?.report };
  if (reported === undefined) return { ...ended, data, text: [...abandoned.map(abandonedText), ended.text].join('\n') };
  const { scriptFailure } = change;
  if (scriptFailure === undefined) return { data, text: reported.text, exitCode: 0 };
  const failed = { ...data, error: errorData(scriptFailure) };
  return { data: failed, text: `${reported.text}\n${errorText(scriptFailure)}`, exitCode: scriptFailure.exitCode };
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

/** A run that was given up, in one line. */
export function abandonedText({ command, why, journal }: AbandonedRun): string {
  return `Abandoned the operation "${command}", which could not be finished: ${why}; its journal is now "${journal}"`;
}

/**
 * Has the operator type the node's name, or the machine's where nothing tells the node's. Without a terminal the answer
 * has to be on the command line.
 */
export async function confirmReset(
  { terminal, signal }: Pick<KeadmEnvironment, 'terminal' | 'signal'>,
  { nodeName, nameKnown }: Pick<ResetFacts, 'nodeName' | 'nameKnown'>,
): Promise<void> {
  const what = nameKnown ? `the node "${nodeName}"` : `the node of the machine "${nodeName}"`;
  if (terminal.ask === undefined) throw noTerminal(what);
  const question = `This removes ${what} permanently. Type ${nameKnown ? 'its' : "the machine's"} name to continue: `;
  const answer = await terminal.ask(question, signal).catch(() => '');
  if (answer.trim() !== nodeName) throw notConfirmed(what);
}

/** Takes upstream's `reset edge`. Its `reset cloud` is about something else. */
export function requireEdge(part: string | undefined): void {
  if (part === undefined || part === 'edge') return;
  throw new OperatorError('USAGE', `Cannot reset "${part}"`, {
    hint: '"keadm reset" resets a node. To stop a cloud on this machine, run "keadm cloud stop".',
  });
}

function noTerminal(what: string): OperatorError {
  return new OperatorError('CONFIRMATION_NEEDED', `Cannot reset ${what} without confirmation: there is no terminal`, {
    hint: 'Add "--force" to the command, or run it in a terminal.',
  });
}

function notConfirmed(what: string): OperatorError {
  return new OperatorError('CONFIRMATION_NEEDED', `Cannot reset ${what}: the name does not match`, {
    hint: 'Run the command again and type the name exactly as shown.',
  });
}
