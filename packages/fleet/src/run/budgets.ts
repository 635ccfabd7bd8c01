import type { Budgets } from './policy.ts';

/** A share of what a run may do at the same time: held by a node, or requested. */
export interface BudgetShare {
  readonly connections: number;
  /** Bytes in flight to the node. */
  readonly bytes: number;
  /** The groups of a node that is being changed; `undefined` if it is not. */
  readonly disrupts: readonly string[] | undefined;
}

/** How much of the budgets is in use. */
export interface Usage {
  readonly connections: number;
  readonly bytes: number;
  readonly disrupted: number;
  readonly disruptedPerGroup: ReadonlyMap<string, number>;
}

/** Nothing in use. */
export const NO_USAGE: Usage = { connections: 0, bytes: 0, disrupted: 0, disruptedPerGroup: new Map() };

/** The empty share. */
export const NO_SHARE: BudgetShare = { connections: 0, bytes: 0, disrupts: undefined };

/** Whether the share can be granted now. One larger than the whole byte budget can, while no other bytes are in flight. */
export function fits(budgets: Budgets, usage: Usage, share: BudgetShare): boolean {
  if (usage.connections + share.connections > budgets.connections) return false;
  if (share.bytes > 0 && usage.bytes > 0 && usage.bytes + share.bytes > budgets.bytesInFlight) return false;
  return share.disrupts === undefined || mayDisrupt(budgets, usage, share.disrupts);
}

/** The usage after a share was granted (1) or returned (-1). */
export function withShare(usage: Usage, share: BudgetShare, sign: 1 | -1): Usage {
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
