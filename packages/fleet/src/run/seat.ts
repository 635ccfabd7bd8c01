import { NO_CLAIM, type Claim } from './budgets.ts';
import type { Slots, Urgency } from './slots.ts';

/** What one node holds of the budgets. */
export interface Seat {
  /** Holds this instead of what it held. False if the signal fired first: then it holds nothing but its disruption. */
  move(claim: Claim, urgency: Urgency, signal: AbortSignal): Promise<boolean>;
  /** Gives the connection back, for a wait; a node that is being changed still is. */
  stepBack(): void;
  /** Gives all back. */
  leave(): void;
}

/** A seat that holds nothing yet. */
export function takeSeat(slots: Slots): Seat {
  let held = NO_CLAIM;

  function retreatTo(kept: Claim): void {
    const given = without(held, kept);
    held = kept;
    slots.giveBack(given);
  }

  return {
    async move(claim, urgency, signal) {
      if (signal.aborted) return false;
      if (slots.trySwap(held, claim, urgency)) {
        held = claim;
        return true;
      }
      // Everything at once or nothing: two that each hold what the other waits for would wait for ever.
      const kept = { ...NO_CLAIM, disrupts: claim.disrupts === undefined ? undefined : held.disrupts };
      retreatTo(kept);
      const granted = await isGranted(slots.take(without(claim, kept), urgency, signal), signal);
      if (granted) held = claim;
      return granted;
    },
    stepBack: () => retreatTo({ ...NO_CLAIM, disrupts: held.disrupts }),
    leave: () => retreatTo(NO_CLAIM),
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

function without(claim: Claim, kept: Claim): Claim {
  return {
    connections: claim.connections - kept.connections,
    bytes: claim.bytes - kept.bytes,
    disrupts: kept.disrupts === undefined ? claim.disrupts : undefined,
  };
}
