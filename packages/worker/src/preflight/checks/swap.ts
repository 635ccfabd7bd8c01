import type { WorkerHostFacts } from '@fenestra/platform';
import { type Check, fail, pass } from '@fenestra/session';

/** Whether there is swap that keeps a kubelet from starting. */
export const swap: Check<{ readonly worker: WorkerHostFacts; readonly swapTolerated: boolean }> = {
  name: 'swap',
  about: 'no swap keeps the kubelet from starting (Linux)',
  judge({ worker, swapTolerated }) {
    if (worker.os === 'windows') return pass('Windows manages its page file');
    if (worker.swap.length === 0) return pass('There is no swap');
    const found = `There is swap: ${worker.swap.join(', ')}`;
    if (swapTolerated) return pass(`${found}; the kubelet's configuration allows it`);
    return fail(
      `${found}, and a kubelet refuses to start with it`,
      'Switch it off with "swapoff -a" and take it out of "/etc/fstab", or set "failSwapOn: false" for the kubelet.',
    );
  },
};
