import { type ErrorCode, OperatorError } from '../errors.ts';
import type { JournalFolder } from '../journal/journal-folder.ts';
import { advance, canTurnBack, type PlanProgress, progressOf } from '../journal/progress.ts';
import type { JournalContent } from '../journal/read-journal.ts';
import type { NewRecord, ProcessIdentity } from '../journal/record.ts';
import type { Plan } from '../plan/step.ts';
import { drive, type Execution, type ExecutionOutcome } from './drive.ts';

/** What recovery did with a journal that was not finished. */
export interface Recovered {
  readonly path: string;
  readonly command: string;
  /** `set-aside`: its run had ended before, so nothing was done but to rename the journal. */
  readonly outcome: 'applied' | 'reverted' | 'set-aside';
}

/** Who recovers, and with what. */
interface Recovery<Ports> extends Omit<Execution<Ports>, 'journal'> {
  readonly journals: JournalFolder;
  readonly recoverer: Pick<Run, 'programVersion' | 'owner'>;
  /** Deals with a run that can be neither finished nor undone, and recovery goes on. Left out, recovery ends there. */
  readonly onStuck?: OnStuck | undefined;
}

/** Called with the run that is stuck, and what holds it up. Its journal is closed by then. */
export type OnStuck = (run: StuckRun, failure: OperatorError) => Promise<void>;

/** A run that is stuck. */
type StuckRun = Pick<Recovered, 'path' | 'command'>;

/**
 * Brings every unfinished run of a node to an end: past the point of no return, or with all steps done, it is
 * finished; otherwise it is reverted. The caller holds the node's lock.
 */
export async function recover<Ports>(recovery: Recovery<Ports>): Promise<readonly Recovered[]> {
  const recovered: Recovered[] = await setSupersededAside(recovery);
  for (const content of await recovery.journals.unfinished()) {
    const ended = content.plan === undefined ? undefined : await recoverUnlessStuck(content, content.plan, recovery);
    if (ended !== undefined) recovered.push(ended);
  }
  return recovered;
}

/** Undoing a run that ended long ago would undo what later runs rely on. */
async function setSupersededAside<Ports>({ journals, onEvent }: Recovery<Ports>): Promise<Recovered[]> {
  const recovered: Recovered[] = [];
  for (const { path: from, plan, damage = 'its last records are missing' } of await journals.superseded()) {
    const path = await journals.setAside(from);
    onEvent({ type: 'journal-set-aside', path, damage });
    recovered.push({ path, command: plan?.begun.command ?? 'unknown', outcome: 'set-aside' });
  }
  return recovered;
}

async function recoverUnlessStuck<Ports>(
  content: JournalContent,
  found: PlanProgress,
  recovery: Recovery<Ports>,
): Promise<Recovered | undefined> {
  try {
    return await recoverRun(content, found, recovery);
  } catch (error) {
    if (recovery.onStuck === undefined || !isStuck(error)) throw error;
    await recovery.onStuck({ path: content.path, command: found.begun.command }, error);
    return undefined;
  }
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
      // On a full disk recovery works all the same, and the next one begins where this one did.
      const written = await journal.append(entry).catch(() => ({ ...entry, at: '' }));
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

const STUCK_CODES: readonly ErrorCode[] = ['REVERT_INCOMPLETE', 'FINISH_INCOMPLETE'];

/** Whether a run ended because a step holds out. Its journal is sound, and the next try goes on from there. */
export function isStuck(error: unknown): error is OperatorError {
  return error instanceof OperatorError && STUCK_CODES.includes(error.code);
}

/** A plan about to run, and who runs it. */
interface Run {
  readonly command: string;
  readonly programVersion: string;
  readonly owner: ProcessIdentity;
  readonly plan: Plan;
}

/** Runs a plan under the journal. It never decides what to do; it only makes sure that it is done or undone. */
export async function executePlan<Ports>(
  run: Run,
  execution: Execution<Ports>,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  const written = await execution.journal.append({ type: 'begun', ...run });
  if (written.type !== 'begun') throw new Error('The journal returned another record than the one it was given');
  execution.onEvent(written);
  return drive(progressOf(written), execution, signal);
}
