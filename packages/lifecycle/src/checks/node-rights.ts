import type { HostFacts } from '@fenestra/platform';
import { type Check, fail, pass, skip } from '@fenestra/session';
import type { PathRights } from './path-rights.ts';

/** Whether the node's configuration, keys, data and backups are safe from other users. */
export const nodeRights: Check<{
  readonly host: Pick<HostFacts, 'os'>;
  /** Of the node's folders and of the files in them that hold secrets, those that are there. */
  readonly nodeRights: readonly PathRights[];
}> = {
  name: 'node-rights',
  about: "other users cannot read or change the node's configuration, keys, data and backups",
  judge({ nodeRights: found, host }) {
    if (found.length === 0) return pass('There are no files of a node here yet');
    const problems = found.flatMap(problemsOf);
    if (problems.length > 0) return fail(problems.join('; '), remedyOn(host.os));
    if (found.some(({ report }) => report === 'unreadable'))
      return skip('Only administrators can see the rights', 'Run doctor with more rights.');
    return pass("The node's files are private to the system and its administrators");
  },
};

function problemsOf({ path, report }: PathRights): readonly string[] {
  if (report === 'unreadable' || report.private) return [];
  return [`"${path}": ${report.problems.join(', ')}`];
}

function remedyOn(os: 'linux' | 'windows'): string {
  return os === 'windows'
    ? 'Give these to SYSTEM, with access for SYSTEM and Administrators alone.'
    : 'Give these to root (chown root:root) and take the rights of all others (chmod go=).';
}
