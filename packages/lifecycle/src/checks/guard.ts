import { GUARD_SERVICE, pass, warn } from '@fenestra/session';
import type { Check } from './check.ts';

/** Whether a guard stands where there is nothing to guard. */
export const guard: Check = {
  name: 'guard',
  judge({ guard: { state }, journal, lockOwner }) {
    if (state === 'absent') return pass('No guard is armed');
    if (lockOwner !== undefined) return pass(`The guard watches over "${lockOwner.command}"`);
    if (journal.state !== 'clean') return pass('The guard is armed: work was left unfinished');
    return warn(
      'A guard is armed, although no work is under way',
      `Start the service "${GUARD_SERVICE}": with nothing left to guard it takes itself away.`,
    );
  },
};
