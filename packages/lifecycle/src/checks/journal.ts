import type { LockOwner } from '@fenestra/kernel';
import { type Check, fail, pass, skip, warn, GUARD_SERVICE } from '@fenestra/session';
import type { ServiceStatus } from '@fenestra/platform';

/** The state of the node's journals; `unreadable` without the rights to read them. */
export type JournalState =
  | { readonly state: 'clean' }
  | { readonly state: 'unfinished'; readonly command: string; readonly path: string }
  | { readonly state: 'superseded'; readonly path: string }
  | { readonly state: 'corrupt' | 'unreadable'; readonly problem: string; readonly remedy: string };

/** Whether earlier work on this node finished. */
export const journal: Check<{ readonly journal: JournalState; readonly lockOwner: LockOwner | undefined }> = {
  name: 'journal',
  about: 'no earlier command was interrupted',
  judge({ journal: found, lockOwner }) {
    if (lockOwner !== undefined) {
      return warn(
        `"${lockOwner.command}" (process ${lockOwner.pid}) is changing this node`,
        'Wait until it has ended.',
      );
    }
    switch (found.state) {
      case 'clean':
        return pass('No operation is unfinished');
      case 'unfinished':
        return fail(`"${found.command}" was interrupted`, 'Run "keadm recover" to finish or undo it.');
      case 'superseded':
        return warn(
          `The journal "${found.path}" is damaged; its operation finished earlier`,
          'Run "keadm recover": it renames the journal.',
        );
      case 'corrupt':
        return fail(found.problem, found.remedy);
      case 'unreadable':
        return skip(found.problem, found.remedy);
    }
  },
};

/** Whether a guard is armed although there is nothing to guard. */
export const guard: Check<{
  readonly guard: ServiceStatus;
  readonly journal: JournalState;
  readonly lockOwner: LockOwner | undefined;
}> = {
  name: 'guard',
  about: 'no guard is left from an earlier operation',
  judge({ guard: { state }, journal: journals, lockOwner }) {
    if (state === 'absent') return pass('No guard is armed');
    if (lockOwner !== undefined) return pass(`The guard monitors "${lockOwner.command}"`);
    if (journals.state !== 'clean') return pass('The guard is armed: an operation is unfinished');
    return warn(
      'A guard is armed, although no operation is in progress',
      `Start the service "${GUARD_SERVICE}": a guard without an operation removes itself.`,
    );
  },
};
