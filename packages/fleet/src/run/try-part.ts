import type { BatchFailure } from '@fenestra/contracts';
import type { BatchNode } from '../inventory/batch-node.ts';
import type { Claim } from './budgets.ts';
import { failureOf } from './failure.ts';
import type { WorkContext } from './node-worker.ts';
import type { NodePart } from './parts.ts';
import { isWorthAnotherTry, retryDelayMs } from './retry.ts';
import type { Scene } from './scene.ts';
import type { Seat } from './seat.ts';

/** How a part of the work ended; `stopped` means that nobody wants it any more. */
export type PartEnd =
  | { readonly kind: 'well' | 'stopped' }
  | { readonly kind: 'failed'; readonly failure: BatchFailure };

/** One part of a node's work. */
export interface PartWork {
  readonly part: NodePart;
  readonly node: BatchNode;
  readonly seat: Seat;
  readonly claim: Claim;
  /** Fires when the part is not to begin any more. */
  readonly first: AbortSignal;
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

type AttemptEnd = PartEnd | { readonly kind: 'again'; readonly failure: BatchFailure };

/** Does the part, again and again as far as it is worth it. Rejects only if this process can do nothing any more. */
export async function tryPart(scene: Scene, work: PartWork): Promise<PartEnd> {
  const { attempts } = work.node.retries;
  for (let attempt = 1; ; attempt += 1) {
    const end = await attemptPart(scene, work, attempt);
    scene.gone.throwIfAborted();
    if (end.kind !== 'again') return end;
    if (attempt >= attempts) return { kind: 'failed', failure: end.failure };
    if (!(await isWaitedOut(scene, work, end.failure, attempt))) return { kind: 'stopped' };
  }
}

async function attemptPart(scene: Scene, work: PartWork, attempt: number): Promise<AttemptEnd> {
  const { node, part, interrupt } = work;
  const unwanted = attempt === 1 ? work.first : work.again;
  const urgency = unwanted === scene.noMore ? 'new' : 'going-on';
  if (!(await work.seat.move(work.claim, urgency, unwanted))) return { kind: 'stopped' };
  if (work.told) await scene.ledger.tell({ type: 'node', node: node.name, state: STATES[part], attempt });
  try {
    await work.act(scene.context(node, interrupt));
    return { kind: 'well' };
  } catch (error) {
    if (interrupt.aborted) return { kind: 'stopped' };
    return { kind: isWorthAnotherTry(error, part) ? 'again' : 'failed', failure: failureOf(error) };
  }
}

/** Waits until it is time for another attempt, with the connection given back; false if nobody wants that any more. */
async function isWaitedOut(scene: Scene, work: PartWork, failure: BatchFailure, attempt: number): Promise<boolean> {
  const { node, seat, again } = work;
  const { clock, random } = scene.options;
  scene.options.records.log(node.name, `${failure.message} (${failure.code}); trying again soon`);
  if (work.told) {
    await scene.ledger.tell({ type: 'node', node: node.name, state: 'retrying', attempt: attempt + 1, failure });
  }
  seat.stepBack();
  try {
    await clock.wait(retryDelayMs(node.retries, attempt, random), again);
    return true;
  } catch (error) {
    scene.gone.throwIfAborted();
    if (again.aborted) return false;
    throw error;
  }
}
