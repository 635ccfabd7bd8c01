import type { JournalFolder } from '../journal/journal-folder.ts';
import { advance, canTurnBack, type PlanProgress } from '../journal/progress.ts';
import type { JournalContent } from '../journal/read-journal.ts';
import type { NewRecord } from '../journal/record.ts';
import { drive } from './drive.ts';
import type { Run } from './execute-plan.ts';
import type { Execution } from './execution.ts';

/** What recovery did with one unfinished run. */
export interface Recovered {
  readonly path: string;
  readonly command: string;
  readonly outcome: 'applied' | 'reverted';
}

/** Who recovers, and with what. */
export interface Recovery<Ports> extends Omit<Execution<Ports>, 'journal'> {
  readonly journals: JournalFolder;
  readonly recoverer: Pick<Run, 'programVersion' | 'owner'>;
}

/**
 * Brings every unfinished run of a node to an end: past the point of no return, or with all steps done, it is
 * finished; otherwise it is reverted. The caller holds the node's lock.
 */
export async function recover<Ports>(recovery: Recovery<Ports>): Promise<readonly Recovered[]> {
  const recovered: Recovered[] = [];
  for (const content of await recovery.journals.unfinished()) {
    if (content.plan !== undefined) recovered.push(await recoverRun(content, content.plan, recovery));
  }
  return recovered;
}

async function recoverRun<Ports>(
  content: JournalContent,
  found: PlanProgress,
  recovery: Recovery<Ports>,
): Promise<Recovered> {
  const journal = await recovery.journals.reopen(content);
  recovery.onEvent({ type: 'run-found', begun: found.begun });
  try {
    let plan = found;
    for (const entry of openingRecords(found, recovery.recoverer)) {
      const written = await journal.append(entry);
      plan = advance(plan, written);
      recovery.onEvent(written);
    }
    const { outcome } = await drive(plan, { ...recovery, journal }, new AbortController().signal);
    return { path: content.path, command: found.begun.command, outcome };
  } finally {
    await journal.close();
  }
}

function openingRecords(plan: PlanProgress, recoverer: Recovery<unknown>['recoverer']): readonly NewRecord[] {
  const opening: NewRecord = { type: 'recovery-begun', ...recoverer };
  if (plan.direction === 'backward' || mustFinish(plan)) return [opening];
  const failure = { code: 'INTERRUPTED', message: 'The process that ran the plan ended before the plan did' };
  return [opening, { type: 'turned-back', failure }];
}

function mustFinish(plan: PlanProgress): boolean {
  return !canTurnBack(plan) || plan.progress.every(({ state }) => state === 'done');
}
