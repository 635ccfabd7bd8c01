import { inspectJournal, OperatorError, setAsidePath, type JournalRecord, type PlanProgress } from '@fenestra/kernel';
import { requireInTheWay, type SetAside, setJournalAside, type UnwantedJournal } from '@fenestra/session';
import { Command } from 'commander';
import { describeStep } from '../cli/progress.ts';
import type { CommandContext } from '../cli/program.ts';
import { success } from '../cli/result.ts';
import type { KeadmEnvironment } from '../platform.ts';
import { openSession, openJournals } from './open-session.ts';
import { rootOption, type RootFlag } from './input-option.ts';

/** `keadm journal list | show | set-aside` */
export function journalCommand(context: CommandContext): Command {
  return new Command('journal')
    .description('Show and set aside the journals of operations on this node')
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(setAsideCommand(context));
}

function listCommand({ environment, deliver }: CommandContext): Command {
  return new Command('list')
    .description('List the journals, oldest first')
    .addOption(rootOption())
    .action(async ({ root }: RootFlag) => {
      const paths = await (await openJournals(environment, root)).list();
      const journals = await Promise.all(paths.map(summarize));
      deliver(success(journals, journals.map(({ path, state }) => `${state.padEnd(10)} ${path}`).join('\n')));
    });
}

function showCommand({ environment, deliver }: CommandContext): Command {
  return new Command('show')
    .description('Show a journal, even a damaged one')
    .argument('[file]', 'the journal')
    .addOption(rootOption())
    .action(async (file: string | undefined, { root }: RootFlag) => {
      const content = await inspectJournal(file ?? (await newest(environment, root)));
      deliver(success(content, journalText(content)));
    });
}

function setAsideCommand({ environment, deliver }: CommandContext): Command {
  return new Command('set-aside')
    .description('Rename a journal that cannot be used, so that it no longer blocks other commands')
    .argument('<file>', 'the journal')
    .option('--force', 'abandon an operation that can be neither finished nor undone: the node stays as it is', false)
    .addOption(rootOption())
    .option('--dry-run', 'print the plan and change nothing', false)
    .action(async (path: string, { root, dryRun, force }: RootFlag & { dryRun: boolean; force: boolean }) => {
      const aside = await (dryRun ? wouldSetAside : setAside)(environment, root, { path, force });
      deliver(success({ from: path, ...aside, dryRun }, setAsideText(path, aside, dryRun)));
    });
}

async function setAside(
  environment: KeadmEnvironment,
  root: string | undefined,
  unwanted: UnwantedJournal,
): Promise<SetAside> {
  return setJournalAside(await openSession(environment, root, 'journal set-aside'), unwanted);
}

async function wouldSetAside(
  environment: KeadmEnvironment,
  root: string | undefined,
  unwanted: UnwantedJournal,
): Promise<SetAside> {
  const abandoned = await requireInTheWay(await openJournals(environment, root), unwanted);
  return { to: setAsidePath(unwanted.path), abandoned };
}

async function newest(environment: KeadmEnvironment, root: string | undefined): Promise<string> {
  const path = (await (await openJournals(environment, root)).list()).at(-1);
  if (path !== undefined) return path;
  throw new OperatorError('PATH_NOT_FOUND', 'Cannot show a journal: keadm has not changed this node yet', {
    hint: 'Give the path of the journal if it is in another folder.',
  });
}

async function summarize(path: string): Promise<{ path: string; command: string | undefined; state: string }> {
  const { plan, damage } = await inspectJournal(path);
  const state = damage === undefined ? (plan?.outcome ?? 'unfinished') : 'corrupt';
  return { path, command: plan?.begun.command, state };
}

/** A journal as people read it: a line per record, then what is wrong with it, if anything is. */
export function journalText({
  path,
  records,
  plan,
  torn,
  damage,
  validBytes,
}: Awaited<ReturnType<typeof inspectJournal>>): string {
  const lines = records.map((record) => `${record.at}  ${recordText(record, plan)}`);
  const torned = torn ? [`The last record, from byte ${validBytes} on, is truncated; it is ignored`] : [];
  const damaged = damage === undefined ? [] : [`Damaged: ${damage}`];
  return [path, ...lines, ...torned, ...damaged].join('\n');
}

/** What setting a journal aside came to, or would; of work that is given up, what that means. */
export function setAsideText(path: string, { to, abandoned }: SetAside, dryRun: boolean): string {
  const renamed = `${dryRun ? 'Would rename' : 'Renamed'} "${path}" to "${to}"`;
  if (abandoned === undefined) return renamed;
  return [
    renamed,
    `"${abandoned}" ${dryRun ? 'would be' : 'was'} abandoned: it is neither finished nor undone, and the node stays as it is`,
    `Check the node with ${looksFor(abandoned)}; repair it by hand, or remove it with "${resetFor(abandoned)}"`,
  ].join('\n');
}

/** A plain Kubernetes worker has separate commands. */
function isWorkers(command: string): boolean {
  return command.startsWith('keadm kube ');
}

function looksFor(command: string): string {
  return isWorkers(command) ? '"keadm kube status"' : '"keadm doctor" and "keadm status"';
}

function resetFor(command: string): string {
  return isWorkers(command) ? 'keadm kube reset' : 'keadm reset';
}

function recordText(record: JournalRecord, plan: PlanProgress | undefined): string {
  switch (record.type) {
    case 'begun':
      return `"${record.command}" started, version ${record.programVersion}, process ${record.owner.pid}, ${plan?.steps.length ?? 0} steps`;
    case 'step-begun':
      return `begin   ${stepText(record.index, plan)}`;
    case 'step-done':
      return `done    ${stepText(record.index, plan)}`;
    case 'turned-back':
      return `rolling back: ${record.failure.message} (${record.failure.code})`;
    case 'step-reverted':
      return `undone  ${stepText(record.index, plan)}`;
    case 'recovery-begun':
      return `recovery started, version ${record.programVersion}, process ${record.owner.pid}`;
    case 'stuck':
      return `stuck   ${stepText(record.index, plan)}: ${record.failure.message} (${record.failure.code})`;
    case 'ended':
      return `ended, ${record.outcome}`;
  }
}

function stepText(index: number, plan: PlanProgress | undefined): string {
  const step = plan?.steps[index]?.step;
  return step === undefined ? `step ${index + 1}` : `step ${index + 1}: ${describeStep(step)}`;
}
