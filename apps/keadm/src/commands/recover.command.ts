import {
  isStuck,
  type OperatorError,
  type Recovered,
  type JournalContent,
  type JournalRecord,
  type PlanProgress,
  canTurnBack,
} from '@fenestra/kernel';
import { recoverOnly } from '@fenestra/session';
import type { Command } from 'commander';
import { describeStep } from '../cli/progress.ts';
import type { CommandContext } from '../cli/program.ts';
import { NodeCommand, PRIVILEGED } from '../cli/node-command.ts';
import { recoveredText } from '../cli/change-result.ts';
import { errorData, errorText } from '../cli/report-error.ts';
import { success, type CommandResult } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { openSession, openJournals } from './open-session.ts';
import { rootOption, type RootFlag } from './input-option.ts';

const NOTHING = 'Nothing to do: no operation was interrupted';

/** `keadm recover` */
export function recoverCommand({ environment, deliver }: CommandContext): Command {
  return new NodeCommand('recover', () => PRIVILEGED)
    .description('Finish or undo an interrupted operation on this node')
    .addOption(rootOption())
    .option('--dry-run', 'print what would be finished or undone and change nothing', false)
    .action(async ({ root, dryRun }: RootFlag & { dryRun: boolean }) =>
      deliver(dryRun ? await preview(environment, root) : await recover(environment, root)),
    );
}

async function recover(environment: KeadmEnvironment, root: string | undefined): Promise<CommandResult> {
  const session = await openSession(environment, root, 'recover');
  try {
    return recoveredResult(await recoverOnly(session));
  } catch (error) {
    if (!isStuck(error)) throw error;
    return stuckResult(error, await findUnfinished(environment, root));
  }
}

function recoveredResult(recovered: readonly Recovered[]): CommandResult {
  const lines = recovered.map(recoveredText);
  return success({ recovered }, lines.length === 0 ? NOTHING : lines.join('\n'));
}

function stuckResult(error: OperatorError, unfinished: readonly Unfinished[]): CommandResult {
  const stuck = unfinished.filter((run) => run.stuck !== undefined);
  const text = stuck.length === 0 ? errorText(error) : stuck.map(unfinishedText).join('\n');
  return { data: { unfinished, error: errorData(error) }, text, exitCode: error.exitCode };
}

async function preview(environment: KeadmEnvironment, root: string | undefined): Promise<CommandResult> {
  const unfinished = await findUnfinished(environment, root);
  const superseded = (await (await openJournals(environment, root)).superseded()).map(({ path }) => path);
  const asides = superseded.map((path) => `Would rename "${path}": it is damaged, and its operation finished earlier`);
  const text = [...asides, ...unfinished.map(unfinishedText)].join('\n');
  return success({ dryRun: true, unfinished, superseded }, text === '' ? NOTHING : text);
}

async function findUnfinished(environment: KeadmEnvironment, root: string | undefined): Promise<readonly Unfinished[]> {
  const contents = await (await openJournals(environment, root)).unfinished();
  return contents.map(unfinishedRun).filter((run) => run !== undefined);
}

/** A run that was left unfinished, and what recovery does or did about it. */
export interface Unfinished {
  readonly journal: string;
  readonly command: string;
  /** What recovery does: a run that cannot turn back any more is finished. */
  readonly direction: 'finish' | 'undo';
  /** The step at which the last try ended. */
  readonly stuck:
    | { readonly step: number; readonly description: string; readonly code: string; readonly message: string }
    | undefined;
}

/** What a journal tells of a run that has not ended; `undefined` if not even its beginning was written. */
export function unfinishedRun({ path, plan, records }: JournalContent): Unfinished | undefined {
  if (plan === undefined) return undefined;
  return {
    journal: path,
    command: plan.begun.command,
    direction: directionOf(plan),
    stuck: stuckAt(records.at(-1), plan),
  };
}

/** One run in words: what it is, where it is stuck and why, and what to do. */
export function unfinishedText({ journal, command, direction, stuck }: Unfinished): string {
  if (stuck === undefined) return `Would ${direction} the interrupted operation "${command}"`;
  return [
    `"${command}" is stuck: recovery cannot ${direction} step ${stuck.step}`,
    `  step    ${stuck.description}`,
    `  why     ${stuck.message} (${stuck.code})`,
    `  journal ${journal}`,
    '  to do   remove the cause, then run "keadm recover" again: it continues from here',
    `  or      abandon it and leave the node partly changed: keadm journal set-aside --force ${journal}`,
  ].join('\n');
}

function directionOf(plan: PlanProgress): Unfinished['direction'] {
  if (plan.direction === 'backward') return 'undo';
  return canTurnBack(plan) && plan.progress.some(({ state }) => state !== 'done') ? 'undo' : 'finish';
}

function stuckAt(last: JournalRecord | undefined, plan: PlanProgress): Unfinished['stuck'] {
  if (last?.type !== 'stuck') return undefined;
  const step = plan.steps[last.index]?.step;
  return { step: last.index + 1, description: step === undefined ? 'unknown' : describeStep(step), ...last.failure };
}
