import { fail, pass, type Check } from '../check.ts';

/** Whether keadm's own files are safe from other users. */
export const rights: Check = {
  name: 'rights',
  judge({ bookkeepingRights }) {
    if (bookkeepingRights === undefined) return pass('keadm keeps no files here yet');
    if (bookkeepingRights === 'unreadable') {
      return {
        verdict: 'skip',
        reason: 'Only administrators can see the rights',
        remedy: 'Run doctor with more rights.',
      };
    }
    if (bookkeepingRights.private) return pass("keadm's files are private to the system and its administrators");
    return fail(
      bookkeepingRights.problems.join('; '),
      'Run any keadm command that changes the node: it sets the rights of its own folders anew; those of their parents are yours to mend.',
    );
  },
};
