import type { LockOwner } from '@fenestra/kernel';
import type { ServiceStatus } from '@fenestra/platform';
import { type Check, GUARD_SERVICE, pass, warn } from '@fenestra/session';
import type { JournalState } from './journal.ts';

/** Whether a guard is armed although there is nothing to guard. */
export const guard: Check<{
  readonly guard: ServiceStatus;
  readonly journal: JournalState;
  readonly lockOwner: LockOwner | undefined;
}> = {
  name: 'guard',
  about: 'no guard is left over from earlier work',
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
