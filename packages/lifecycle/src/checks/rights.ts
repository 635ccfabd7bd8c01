import { type Check, fail, pass, skip } from '@fenestra/session';
import type { PathRights } from './path-rights.ts';

/** Whether keadm's own files are safe from other users. */
export const rights: Check<{
  /** `undefined` while keadm has done nothing here. */
  readonly bookkeepingRights: PathRights | undefined;
}> = {
  name: 'rights',
  about: "other users cannot read or change keadm's own files",
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
