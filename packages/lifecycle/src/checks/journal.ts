import { fail, pass, skip, warn } from '@fenestra/session';
import type { Check } from './check.ts';

/** Whether earlier work on this node came to an end. */
export const journal: Check = {
  name: 'journal',
  judge({ journal: found, lockOwner }) {
    if (lockOwner !== undefined) {
      return warn(
        `"${lockOwner.command}" (process ${lockOwner.pid}) is changing this node`,
        'Wait until it has ended.',
      );
    }
    switch (found.state) {
      case 'clean':
        return pass('No work was left unfinished');
      case 'unfinished':
        return fail(`"${found.command}" was interrupted`, 'Run "keadm recover" to finish or undo it.');
      case 'superseded':
        return warn(
          `The journal "${found.path}" is damaged; its work ended before`,
          'Run "keadm recover": it renames the journal.',
        );
      case 'corrupt':
        return fail(found.problem, found.remedy);
      case 'unreadable':
        return skip(found.problem, found.remedy);
    }
  },
};
