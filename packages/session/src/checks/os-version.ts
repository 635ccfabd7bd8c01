import type { HostFacts } from '@fenestra/platform';
import { type Check, fail, pass } from './check.ts';

/** Windows Server 2019 and Windows 10 1809: the first build with what a node needs. */
const OLDEST_WINDOWS_BUILD = 17_763;
/** The oldest Linux that container runtimes and kubeadm support. */
const OLDEST_KERNEL: readonly [number, number] = [4, 19];

/** Whether the system is supported. */
export const osVersion: Check<{ readonly host: Pick<HostFacts, 'os' | 'osName' | 'build'> }> = {
  name: 'os-version',
  about: 'the version of the operating system is supported',
  judge({ host: { os, osName, build } }) {
    const found = `${osName}, ${os === 'windows' ? 'build' : 'kernel'} ${build}`;
    if (os === 'windows') {
      return Number.parseInt(build, 10) >= OLDEST_WINDOWS_BUILD
        ? pass(found)
        : fail(found, `Upgrade to Windows build ${OLDEST_WINDOWS_BUILD} (Server 2019) or newer.`);
    }
    return isRecentKernel(build) ? pass(found) : fail(found, `Upgrade to kernel ${OLDEST_KERNEL.join('.')} or newer.`);
  },
};

function isRecentKernel(release: string): boolean {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  return major > OLDEST_KERNEL[0] || (major === OLDEST_KERNEL[0] && minor >= OLDEST_KERNEL[1]);
}
