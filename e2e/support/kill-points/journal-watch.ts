import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type JournalContent, readJournal } from '@fenestra/kernel';
import type { KeadmMachine } from '../machines/keadm-machine.ts';

/** The machine's newest journal, read without any program of ours on it. */
export async function newestJournal({ node, paths }: KeadmMachine): Promise<JournalContent | undefined> {
  const folder = join(node.hostPath(paths.bookkeeping), 'journal');
  const names = await readdir(folder).catch(() => []);
  const newest = names
    .filter((name) => name.endsWith('.journal'))
    .toSorted()
    .at(-1);
  return newest === undefined ? undefined : readJournal(join(folder, newest));
}

/** Whether the plan was cut off and no one has brought it to an end yet. */
export function isUnfinished(journal: JournalContent | undefined): boolean {
  return journal?.plan !== undefined && journal.plan.outcome === undefined;
}

/** As much of a plan's progress as tells about its guard. */
interface GuardedPlan {
  readonly steps: readonly { readonly index: number; readonly step: { readonly kind: string } }[];
  readonly progress: readonly { readonly state: string }[];
}

/** Whether a guard stands ready to end this plan. */
export function isGuarded({ steps, progress }: GuardedPlan): boolean {
  const isDone = (kind: string): boolean =>
    steps.some(({ index, step }) => step.kind === kind && progress[index]?.state === 'done');
  return isDone('arm-guard') && !isDone('disarm-guard');
}
