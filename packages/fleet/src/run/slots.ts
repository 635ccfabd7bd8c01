import { fits, NO_USAGE, withClaim, type Claim } from './budgets.ts';
import type { Budgets } from './policy.ts';

/** Whether a claim begins something new, which waits while the run is paused, or goes on with what was begun. */
export type Urgency = 'new' | 'going-on';

/** The budgets of a run and those who wait for a share of them. */
export interface Slots {
  /** Takes one claim for another if that can be done at once; else all stays as it is. */
  trySwap(held: Claim, wanted: Claim, urgency: Urgency): boolean;
  /** Resolves when the claim is granted, which is for a connection at least; rejects with the reason of the signal. */
  take(claim: Claim, urgency: Urgency, signal: AbortSignal): Promise<void>;
  giveBack(claim: Claim): void;
  pause(): void;
  continue(): void;
}

interface Waiting {
  readonly claim: Claim;
  readonly urgency: Urgency;
  readonly signal: AbortSignal;
  readonly grant: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** Keeps the budgets. In order, but who does not fit holds up nobody behind; nodes that have begun go first. */
export function openSlots(budgets: Budgets): Slots {
  let usage = NO_USAGE;
  let paused = false;
  const goingOn = new Set<Waiting>();
  const toDisrupt = new Set<Waiting>();
  const fresh = new Set<Waiting>();
  const heeded = new WeakSet<AbortSignal>();

  function isGranted({ claim, urgency, grant }: Waiting): boolean {
    if ((paused && urgency === 'new') || !fits(budgets, usage, claim)) return false;
    usage = withClaim(usage, claim, 1);
    grant();
    return true;
  }

  /** Thousands may wait in a queue: they are not asked where none can be granted. */
  function isInVain(queue: ReadonlySet<Waiting>): boolean {
    if (usage.connections >= budgets.connections) return true;
    return queue === toDisrupt && usage.disrupted >= budgets.disrupted;
  }

  function serve(): void {
    for (const queue of [goingOn, toDisrupt, fresh]) {
      for (const waiting of queue) {
        if (isInVain(queue)) break;
        if (isGranted(waiting)) queue.delete(waiting);
      }
    }
  }

  function queueFor(claim: Claim, urgency: Urgency): Set<Waiting> {
    if (urgency === 'going-on') return goingOn;
    return claim.disrupts === undefined ? fresh : toDisrupt;
  }

  /** One listener for all who wait with the same signal: a signal looks through all it has for each that comes or goes. */
  function heed(signal: AbortSignal): void {
    if (heeded.has(signal)) return;
    heeded.add(signal);
    signal.addEventListener('abort', () => sendAway(signal), { once: true });
  }

  function sendAway(signal: AbortSignal): void {
    for (const queue of [goingOn, toDisrupt, fresh]) {
      for (const waiting of queue) {
        if (waiting.signal !== signal) continue;
        queue.delete(waiting);
        waiting.refuse(signal.reason);
      }
    }
  }

  return {
    trySwap(held, wanted, urgency) {
      const without = withClaim(usage, held, -1);
      if ((paused && urgency === 'new') || !fits(budgets, without, wanted)) return false;
      usage = withClaim(without, wanted, 1);
      serve();
      return true;
    },
    async take(claim, urgency, signal) {
      signal.throwIfAborted();
      heed(signal);
      const { promise, resolve: grant, reject: refuse } = Promise.withResolvers<void>();
      queueFor(claim, urgency).add({ claim, urgency, signal, grant, refuse });
      serve();
      return promise;
    },
    giveBack(claim) {
      usage = withClaim(usage, claim, -1);
      serve();
    },
    pause() {
      paused = true;
    },
    continue() {
      paused = false;
      serve();
    },
  };
}
