import { fail, pass } from '@fenestra/session';
import type { Check } from '../check.ts';

/** Whether the machine is, or was, a worker that would be mistaken for the new one. */
export const leftoverState: Check = {
  name: 'leftover-state',
  judge({ leftovers, strangePrograms }) {
    if (leftovers.length > 0)
      return fail(
        `Another join, ours or kubeadm's, left ${quoted(leftovers)}`,
        'Look whether anything there is still needed, then run "keadm kube reset".',
      );
    if (strangePrograms.length > 0)
      return fail(
        `${quoted(strangePrograms)} was not installed by keadm and would be replaced`,
        'Move it away if it is still needed.',
      );
    return pass('Nothing is left of another join');
  },
};

function quoted(paths: readonly string[]): string {
  return paths.map((path) => `"${path}"`).join(', ');
}
