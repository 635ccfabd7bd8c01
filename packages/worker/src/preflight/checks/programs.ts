import type { WorkerHostFacts } from '@fenestra/platform';
import { type Check, fail, pass } from '@fenestra/session';

/** Whether the kubelet and the programs it calls are there. */
export const programs: Check<{ readonly worker: WorkerHostFacts; readonly kubeletVersion: string | undefined }> = {
  name: 'programs',
  about: 'there is a kubelet, and the programs it calls',
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
