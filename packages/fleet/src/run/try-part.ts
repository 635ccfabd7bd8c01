import type { BatchFailure } from '../report/events.ts';
import type { BatchNode } from '../inventory/batch.ts';
import type { BudgetShare } from './budgets.ts';
import { failureOf, type Retry, retryAfter, retryDelayMs } from './retry.ts';
import { type NodePart, PART_STATES, type WorkContext } from './node-worker.ts';
import type { RunContext } from './run-context.ts';
import type { ConcurrencySlot } from './concurrency-slot.ts';

/** How a part of the work ended; `stopped` means that it was cancelled. */
export type PartEnd =
  | { readonly kind: 'succeeded' | 'stopped' }
  | { readonly kind: 'failed'; readonly failure: BatchFailure };

/** One attempt at a part. */
export interface Attempt {
  readonly number: number;
  /** Fires when it must not start. */
  readonly unwanted: AbortSignal;
  /** How the part ends in that case. */
  readonly ifUnwanted: PartEnd;
}

/** One part of a node's work. */
export interface PartWork {
  readonly part: NodePart;
  readonly node: BatchNode;
  readonly slot: ConcurrencySlot;
  readonly share: BudgetShare;
  readonly first: Attempt;
  /** Fires when it must not be retried. */
  readonly again: AbortSignal;
  /** Fires when it must stop. */
  readonly interrupt: AbortSignal;
  /** Whether its states are recorded; those of a repeated proof are not. */
  readonly reported: boolean;
  act(context: WorkContext): Promise<void>;
}

/** An attempt that failed and is worth a retry. */
interface RetryableEnd {
  readonly kind: 'retryable';
  readonly how: Exclude<Retry, 'none'>;
  readonly failure: BatchFailure;
}

/** Does the part, with retries. Rejects only if this process cannot continue. */
export async function tryPart(run: RunContext, work: PartWork): Promise<PartEnd> {
  const { attempts } = work.node.retries;
  for (let attempt = work.first; ;) {
    const end = await attemptPart(run, work, attempt);
    run.gone.throwIfAborted();
    if (end.kind !== 'retryable') return end;
    if (attempt.number >= attempts) return { kind: 'failed', failure: end.failure };
    attempt = attemptAfter(attempt, end, run, work);
    if (!(await waitForAttempt(run, work, attempt, end.failure))) return attempt.ifUnwanted;
  }
}

/** Starting the command over counts as new work: a halt prevents it, and the node stays as the failed command left it. */
function attemptAfter(before: Attempt, end: RetryableEnd, { noMore }: RunContext, { again }: PartWork): Attempt {
  const number = before.number + 1;
  if (end.how === 'continue') return { number, unwanted: again, ifUnwanted: { kind: 'stopped' } };
  return { number, unwanted: noMore, ifUnwanted: { kind: 'failed', failure: end.failure } };
}

async function attemptPart(run: RunContext, work: PartWork, attempt: Attempt): Promise<PartEnd | RetryableEnd> {
  const { node, part, interrupt } = work;
  const { number, unwanted, ifUnwanted } = attempt;
  const priority = unwanted === run.noMore ? 'new' : 'started';
  if (!(await work.slot.hold(work.share, priority, unwanted))) return ifUnwanted;
  if (work.reported)
    await run.journal.append({ type: 'node', node: node.name, state: PART_STATES[part], attempt: number });
  try {
    await work.act(run.workContext(node, interrupt));
    return { kind: 'succeeded' };
  } catch (error) {
    if (interrupt.aborted) return { kind: 'stopped' };
    const [how, failure] = [retryAfter(error, part), failureOf(error)];
    return how === 'none' ? { kind: 'failed', failure } : { kind: 'retryable', how, failure };
  }
}

/** Waits for the next attempt with the connection released; false if the attempt was cancelled. */
async function waitForAttempt(run: RunContext, work: PartWork, next: Attempt, failure: BatchFailure): Promise<boolean> {
  const { node, slot } = work;
  const { number, unwanted } = next;
  const { clock, random, records } = run.options;
  const { attempts } = node.retries;
  records.log(node.name, `${failure.message} (${failure.code}); attempt ${number} of ${attempts} follows`);
  if (work.reported) {
    await run.journal.append({ type: 'node', node: node.name, state: 'retrying', attempt: number, failure });
  }
  slot.releaseConnection();
  try {
    await clock.wait(retryDelayMs(node.retries, number - 1, random), unwanted);
    return true;
  } catch (error) {
    run.gone.throwIfAborted();
    if (unwanted.aborted) return false;
    throw error;
  }
}
