import { fail, pass } from '@fenestra/session';
import type { Check } from '../check.ts';

/** Whether what a kubelet calls is there. */
export const programs: Check = {
  name: 'programs',
  judge({ worker, kubeletVersion }) {
    if (kubeletVersion === undefined)
      return fail(
        'There is no kubelet',
        'Run "keadm kube prepare --version V --from SOURCE" first, or give both options to this command.',
      );
    if (worker.os === 'windows' || worker.missingPrograms.length === 0)
      return pass(`kubelet ${kubeletVersion} and the programs it calls`);
    return fail(
      `A kubelet calls ${worker.missingPrograms.join(', ')}, which cannot be found`,
      'Install the packages that hold them, such as "mount" and "util-linux".',
    );
  },
};
