import type { Budgets } from './policy.ts';

/** A share of what a run may do at the same time. */
export interface Claim {
  readonly connections: number;
  /** Bytes on their way to the node. */
  readonly bytes: number;
  /** The groups of a node that is being changed; missing if it is not. */
  readonly disrupts: readonly string[] | undefined;
}

/** How much of the budgets is taken. */
export interface Usage {
  readonly connections: number;
  readonly bytes: number;
  readonly disrupted: number;
  readonly disruptedPerGroup: ReadonlyMap<string, number>;
}

/** Nothing taken. */
export const NO_USAGE: Usage = { connections: 0, bytes: 0, disrupted: 0, disruptedPerGroup: new Map() };

/** Nothing claimed. */
export const NO_CLAIM: Claim = { connections: 0, bytes: 0, disrupts: undefined };

/** Whether the claim can be granted now. One with more bytes than the whole budget is, when no other bytes are on their way. */
export function fits(budgets: Budgets, usage: Usage, claim: Claim): boolean {
  if (usage.connections + claim.connections > budgets.connections) return false;
  if (claim.bytes > 0 && usage.bytes > 0 && usage.bytes + claim.bytes > budgets.bytesInFlight) return false;
  return claim.disrupts === undefined || mayDisrupt(budgets, usage, claim.disrupts);
}

/** What is taken after a claim was granted (1) or given back (-1). */
export function withClaim(usage: Usage, claim: Claim, sign: 1 | -1): Usage {
  const perGroup = new Map(usage.disruptedPerGroup);
  for (const group of claim.disrupts ?? []) perGroup.set(group, (perGroup.get(group) ?? 0) + sign);
  return {
    connections: usage.connections + sign * claim.connections,
    bytes: usage.bytes + sign * claim.bytes,
    disrupted: usage.disrupted + (claim.disrupts === undefined ? 0 : sign),
    disruptedPerGroup: perGroup,
  };
}

function mayDisrupt(budgets: Budgets, usage: Usage, groups: readonly string[]): boolean {
  if (usage.disrupted >= budgets.disrupted) return false;
  return groups.every(
    (group) => (usage.disruptedPerGroup.get(group) ?? 0) < (budgets.disruptedPerGroup[group] ?? Infinity),
  );
}
