import { expect, test } from 'vitest';
import type { LifeParts } from '../../../support/lifecycle/life-parts.ts';
import { standingOf } from '../../../support/lifecycle/node-state.ts';
import { soakRound } from '../../../support/lifecycle/soak-round.ts';

/** The test matrix's "Long-running stability" in its shortest form; `npm run soak` goes on for the given time. */
export function longRunningStability(parts: LifeParts): void {
  test('Long-running stability: a round of upgrade, reload, disconnection and rollback ends where it began', async () => {
    const { node } = parts();
    const before = await standingOf(node);
    await soakRound(node, { round: 0, disturbances: 1 });
    expect(await standingOf(node)).toEqual(before);
  });
}
