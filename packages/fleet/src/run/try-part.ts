import type { BatchFailure } from '@fenestra/contracts/batch';
import type { BatchNode } from '../inventory/batch-node.ts';
import type { Claim } from './budgets.ts';
import { failureOf } from './failure.ts';
import type { WorkContext } from './node-worker.ts';
import type { NodePart } from './parts.ts';
import { retryAfter, retryDelayMs, type Retry } from './retry.ts';
import type { Scene } from './scene.ts';
import type { Seat } from './seat.ts';

/** How a part of the work ended; `stopped` means that nobody wants it any more. */
export type PartEnd =
  | { readonly kind: 'well' | 'stopped' }
  | { readonly kind: 'failed'; readonly failure: BatchFailure };

/** One attempt at a part. */
export interface Attempt {
  readonly number: number;
  /** Fires when it is not to begin any more. */
  readonly unwanted: AbortSignal;
  /** How the part ends then. */
  readonly unbegun: PartEnd;
}

/** One part of a node's work. */
export interface PartWork {
  readonly part: NodePart;
  readonly node: BatchNode;
  readonly seat: Seat;
  readonly claim: Claim;
  readonly first: Attempt;
  /** Fires when it is not to be tried again. */
  readonly again: AbortSignal;
  /** Fires when it is not to go on. */
  readonly interrupt: AbortSignal;
  /** Whether the states that it goes through are told; a proof that is only repeated is not worth it. */
  readonly told: boolean;
  act(context: WorkContext): Promise<void>;
}

const STATES = {
  survey: 'surveying',
  deliver: 'delivering',
  execute: 'executing',
  prove: 'proving',
  'roll-back': 'rolling-back',
} as const;

/** An attempt that has failed, and how to try again. */
interface WorthMore {
  readonly kind: 'again';
  readonly how: Exclude<Retry, 'none'>;
  readonly failure: BatchFailure;
}

/** Does the part, again and again as far as it is worth it. Rejects only if this process can do nothing any more. */
export async function tryPart(scene: Scene, work: PartWork): Promise<PartEnd> {
  const { attempts } = work.node.retries;
  for (let attempt = work.first; ;) {
    const end = await attemptPart(scene, work, attempt);
    scene.gone.throwIfAborted();
    if (end.kind !== 'again') return end;
    if (attempt.number >= attempts) return { kind: 'failed', failure: end.failure };
    attempt = attemptAfter(attempt, end, scene, work);
    if (!(await isWaitedOut(scene, work, attempt, end.failure))) return attempt.unbegun;
  }
}

/** To begin a command afresh is something new: a halt prevents it, and the node stays as the failed command has left it. */
function attemptAfter(before: Attempt, end: WorthMore, { noMore }: Scene, { again }: PartWork): Attempt {
  const number = before.number + 1;
  if (end.how === 'go-on') return { number, unwanted: again, unbegun: { kind: 'stopped' } };
  return { number, unwanted: noMore, unbegun: { kind: 'failed', failure: end.failure } };
}

async function attemptPart(scene: Scene, work: PartWork, attempt: Attempt): Promise<PartEnd | WorthMore> {
  const { node, part, interrupt } = work;
  const { number, unwanted, unbegun } = attempt;
  const urgency = unwanted === scene.noMore ? 'new' : 'going-on';
  if (!(await work.seat.move(work.claim, urgency, unwanted))) return unbegun;
  if (work.told) await scene.ledger.tell({ type: 'node', node: node.name, state: STATES[part], attempt: number });
  try {
    await work.act(scene.context(node, interrupt));
    return { kind: 'well' };
  } catch (error) {
    if (interrupt.aborted) return { kind: 'stopped' };
    const [how, failure] = [retryAfter(error, part), failureOf(error)];
    return how === 'none' ? { kind: 'failed', failure } : { kind: 'again', how, failure };
  }
}

/** Waits until it is time for the next attempt, with the connection given back; false if nobody wants that any more. */
async function isWaitedOut(scene: Scene, work: PartWork, next: Attempt, failure: BatchFailure): Promise<boolean> {
  const { node, seat } = work;
  const { number, unwanted } = next;
  const { clock, random, records } = scene.options;
  const { attempts } = node.retries;
  records.log(node.name, `${failure.message} (${failure.code}); attempt ${number} of ${attempts} follows`);
  if (work.told) {
    await scene.ledger.tell({ type: 'node', node: node.name, state: 'retrying', attempt: number, failure });
  }
  seat.stepBack();
  try {
    await clock.wait(retryDelayMs(node.retries, number - 1, random), unwanted);
    return true;
  } catch (error) {
    scene.gone.throwIfAborted();
    if (unwanted.aborted) return false;
    throw error;
  }
}
