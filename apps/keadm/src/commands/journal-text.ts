import { handlerOf, type inspectJournal, type JournalRecord, type PlanProgress } from '@fenestra/kernel';
import type { SetAside } from '@fenestra/session';
import { STEP_HANDLERS } from '@fenestra/steps';

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

/** A plain Kubernetes worker has commands of its own. */
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
  if (step === undefined) return `step ${index + 1}`;
  const known = STEP_HANDLERS.some(({ kind }) => kind === step.kind);
  return `step ${index + 1}: ${known ? handlerOf(STEP_HANDLERS, step).describe(step) : step.kind}`;
}
