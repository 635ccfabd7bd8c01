import { fail, pass } from '@fenestra/session';
import type { Check } from './check.ts';

/** Windows Server 2019 and Windows 10 1809: the first build with what a node needs. */
const OLDEST_WINDOWS_BUILD = 17763;
/** The oldest Linux that current container runtimes still promise to work on. */
const OLDEST_KERNEL: readonly [number, number] = [4, 19];

/** Whether the system is one we support. */
export const osVersion: Check = {
  name: 'os-version',
  judge({ host }) {
    const found = `${host.osName}, ${host.os === 'windows' ? 'build' : 'kernel'} ${host.build}`;
    if (host.os === 'windows') {
      return Number.parseInt(host.build, 10) >= OLDEST_WINDOWS_BUILD
        ? pass(found)
        : fail(found, `Upgrade to Windows build ${OLDEST_WINDOWS_BUILD} (Server 2019) or newer.`);
    }
    return isRecentKernel(host.build)
      ? pass(found)
      : fail(found, `Upgrade to kernel ${OLDEST_KERNEL.join('.')} or newer.`);
  },
};

function isRecentKernel(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  return major > OLDEST_KERNEL[0] || (major === OLDEST_KERNEL[0] && minor >= OLDEST_KERNEL[1]);
}
