import { type BudgetQueue, type BudgetShare, NO_SHARE, type Priority } from './budgets.ts';

/** The share of the budgets that one node holds. */
export interface ConcurrencySlot {
  /** Replaces the share it holds. False if the signal fired first: then it keeps its disruption and nothing else. */
  hold(share: BudgetShare, priority: Priority, signal: AbortSignal): Promise<boolean>;
  /** Returns the connection while the node waits; a node that is being changed keeps its disruption. */
  releaseConnection(): void;
  release(): void;
}

/** A slot with an empty share. */
export function openConcurrencySlot(queue: BudgetQueue): ConcurrencySlot {
  let held = NO_SHARE;

  function reduceTo(kept: BudgetShare): void {
    const returned = without(held, kept);
    held = kept;
    queue.giveBack(returned);
  }

  return {
    async hold(share, priority, signal) {
      if (signal.aborted) return false;
      if (queue.trySwap(held, share, priority)) {
        held = share;
        return true;
      }
      // All or nothing: two slots that each hold what the other one waits for would deadlock.
      const kept = { ...NO_SHARE, disrupts: share.disrupts === undefined ? undefined : held.disrupts };
      reduceTo(kept);
      const granted = await isGranted(queue.take(without(share, kept), priority, signal), signal);
      if (granted) held = share;
      return granted;
    },
    releaseConnection: () => reduceTo({ ...NO_SHARE, disrupts: held.disrupts }),
    release: () => reduceTo(NO_SHARE),
  };
}

async function isGranted(taking: Promise<void>, signal: AbortSignal): Promise<boolean> {
  try {
    await taking;
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

function without(share: BudgetShare, kept: BudgetShare): BudgetShare {
  return {
    connections: share.connections - kept.connections,
    bytes: share.bytes - kept.bytes,
    disrupts: kept.disrupts === undefined ? share.disrupts : undefined,
  };
}
