import { pass, warn } from '@fenestra/session';
import type { Check } from './check.ts';

/** What an earlier node may have left behind. */
export const leftoverState: Check = {
  name: 'leftover-state',
  judge({ leftovers, agent }) {
    if (agent.state !== 'absent') return pass(`This machine has an agent, which is ${agent.state}`);
    if (leftovers.length === 0) return pass('Nothing is left of an earlier node');
    return warn(
      `An earlier node left ${leftovers.map((path) => `"${path}"`).join(', ')}`,
      'Look whether anything there is still needed, then run "keadm reset".',
    );
  },
};
