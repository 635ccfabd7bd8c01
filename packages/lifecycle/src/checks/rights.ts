import { fail, pass, skip } from '@fenestra/session';
import type { Check } from './check.ts';

/** Whether keadm's own files are safe from other users. */
export const rights: Check = {
  name: 'rights',
  judge({ bookkeepingRights }) {
    if (bookkeepingRights === undefined) return pass('There are no files of keadm here yet');
    const { report } = bookkeepingRights;
    if (report === 'unreadable') return skip('Only administrators can see the rights', 'Run doctor with more rights.');
    if (report.private) return pass("keadm's files are private to the system and its administrators");
    return fail(
      report.problems.join('; '),
      'Run any keadm command that changes the node: it sets the permissions of the keadm folders again. Correct those of their parent folders yourself.',
    );
  },
};
