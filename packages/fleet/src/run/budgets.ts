import type { Budgets } from './policy.ts';

/** A share of what a run may do at the same time: held by a node, or requested. */
export interface BudgetShare {
  readonly connections: number;
  readonly bytes: number;
  /** The groups of a node that is being changed; `undefined` if it is not. */
  readonly disrupts: readonly string[] | undefined;
}

interface Usage {
  readonly connections: number;
  readonly bytes: number;
  readonly disrupted: number;
  readonly disruptedPerGroup: ReadonlyMap<string, number>;
}

const NO_USAGE: Usage = { connections: 0, bytes: 0, disrupted: 0, disruptedPerGroup: new Map() };

/** The empty share. */
export const NO_SHARE: BudgetShare = { connections: 0, bytes: 0, disrupts: undefined };

/** Whether the share can be granted now. One larger than the whole byte budget can, while no other bytes are in flight. */
function fits(budgets: Budgets, usage: Usage, share: BudgetShare): boolean {
  if (usage.connections + share.connections > budgets.connections) return false;
  if (share.bytes > 0 && usage.bytes > 0 && usage.bytes + share.bytes > budgets.bytesInFlight) return false;
  return share.disrupts === undefined || mayDisrupt(budgets, usage, share.disrupts);
}

function withShare(usage: Usage, share: BudgetShare, sign: 1 | -1): Usage {
  const perGroup = new Map(usage.disruptedPerGroup);
  for (const group of share.disrupts ?? []) perGroup.set(group, (perGroup.get(group) ?? 0) + sign);
  return {
    connections: usage.connections + sign * share.connections,
    bytes: usage.bytes + sign * share.bytes,
    disrupted: usage.disrupted + (share.disrupts === undefined ? 0 : sign),
    disruptedPerGroup: perGroup,
  };
}

function mayDisrupt(budgets: Budgets, usage: Usage, groups: readonly string[]): boolean {
  if (usage.disrupted >= budgets.disrupted) return false;
  return groups.every(
    (group) => (usage.disruptedPerGroup.get(group) ?? 0) < (budgets.disruptedPerGroup[group] ?? Infinity),
  );
}

/** `new` work waits while the run is paused; `started` work goes first. */
export type Priority = 'new' | 'started';

/** The budgets of a run and the requests that wait for a share of them. */
export interface BudgetQueue {
  /** Replaces one share by another if that is possible at once; otherwise changes nothing. */
  trySwap(held: BudgetShare, wanted: BudgetShare, priority: Priority): boolean;
  /** Resolves when the share, which includes a connection, is granted; rejects with the signal's reason. */
  take(share: BudgetShare, priority: Priority, signal: AbortSignal): Promise<void>;
  giveBack(share: BudgetShare): void;
  pause(): void;
  continue(): void;
}

interface Waiting {
  readonly share: BudgetShare;
  readonly priority: Priority;
  readonly signal: AbortSignal;
  readonly grant: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** Grants shares in the order of the requests, started nodes first; one that does not fit blocks no other. */
export function openBudgetQueue(budgets: Budgets): BudgetQueue {
  let usage = NO_USAGE;
  let paused = false;
  const started = new Set<Waiting>();
  const toDisrupt = new Set<Waiting>();
  const fresh = new Set<Waiting>();
  const watched = new WeakSet<AbortSignal>();

  function isGranted({ share, priority, grant }: Waiting): boolean {
    if ((paused && priority === 'new') || !fits(budgets, usage, share)) return false;
    usage = withShare(usage, share, 1);
    grant();
    return true;
  }

  /** Saves a scan of a queue that may hold thousands of requests. */
  function isBlocked(queue: ReadonlySet<Waiting>): boolean {
    if (usage.connections >= budgets.connections) return true;
    return queue === toDisrupt && usage.disrupted >= budgets.disrupted;
  }

  function serve(): void {
    for (const queue of [started, toDisrupt, fresh]) {
      for (const waiting of queue) {
        if (isBlocked(queue)) break;
        if (isGranted(waiting)) queue.delete(waiting);
      }
    }
  }

  function queueFor(share: BudgetShare, priority: Priority): Set<Waiting> {
    if (priority === 'started') return started;
    return share.disrupts === undefined ? fresh : toDisrupt;
  }

  /** One listener for all requests with the same signal: adding or removing one takes time linear in their number. */
  function watch(signal: AbortSignal): void {
    if (watched.has(signal)) return;
    watched.add(signal);
    signal.addEventListener('abort', () => rejectAll(signal), { once: true });
  }

  function rejectAll(signal: AbortSignal): void {
    for (const queue of [started, toDisrupt, fresh]) {
      for (const waiting of queue) {
        if (waiting.signal !== signal) continue;
        queue.delete(waiting);
        waiting.refuse(signal.reason);
      }
    }
  }

  return {
    trySwap(held, wanted, priority) {
      const without = withShare(usage, held, -1);
      if ((paused && priority === 'new') || !fits(budgets, without, wanted)) return false;
      usage = withShare(without, wanted, 1);
      serve();
      return true;
    },
    async take(share, priority, signal) {
      signal.throwIfAborted();
      watch(signal);
      const { promise, resolve: grant, reject: refuse } = Promise.withResolvers<void>();
      queueFor(share, priority).add({ share, priority, signal, grant, refuse });
      serve();
      return promise;
    },
    giveBack(share) {
      usage = withShare(usage, share, -1);
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
