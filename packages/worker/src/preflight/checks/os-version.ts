import { fail, pass } from '@fenestra/session';
import type { Check } from '../check.ts';

/** Windows Server 2019: the first build whose containers today's Kubernetes still runs. */
const OLDEST_WINDOWS_BUILD = 17_763;
/** What kubeadm asks of a kernel, too. */
const OLDEST_KERNEL: readonly [number, number] = [4, 19];

/** Whether the system is one that a kubelet works on. */
export const osVersion: Check = {
  name: 'os-version',
  judge({ host, worker }) {
    if (worker.os === 'windows') {
      const found = `${host.osName}, build ${worker.build}`;
      return worker.build >= OLDEST_WINDOWS_BUILD
        ? pass(found)
        : fail(found, `Upgrade to Windows build ${OLDEST_WINDOWS_BUILD} (Server 2019) or newer.`);
    }
    const found = `${host.osName}, kernel ${host.build}`;
    return isRecentKernel(host.build)
      ? pass(found)
      : fail(found, `Upgrade to kernel ${OLDEST_KERNEL.join('.')} or newer.`);
  },
};

function isRecentKernel(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  return major > OLDEST_KERNEL[0] || (major === OLDEST_KERNEL[0] && minor >= OLDEST_KERNEL[1]);
}
