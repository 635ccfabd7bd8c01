import { type HostFacts, bytesText, type DiskFacts } from '@fenestra/platform';
import { type Check, fail, pass, warn, type Finding } from './check.ts';

/** Whether keadm may change this machine. */
export const elevated: Check<{ readonly host: Pick<HostFacts, 'elevated' | 'os'> }> = {
  name: 'elevated',
  about: 'keadm runs with administrator rights',
  judge({ host }) {
    if (host.elevated) return pass('keadm may change this machine');
    const remedy =
      host.os === 'windows'
        ? 'Open the terminal with "Run as administrator".'
        : 'Run keadm as root, for example with sudo.';
    return fail('keadm may only look: it runs without administrator rights', remedy);
  },
};

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

/** The memory that a kind of node needs. */
export interface MemoryNeeds {
  readonly totalBytes: number;
  /** Below this total there is a warning. */
  readonly comfortableBytes: number;
  /** Below this much free memory there is a warning. */
  readonly freeBytes: number;
}

/** Whether the agent and a few small pods fit. */
export const memory: Check<{
  readonly host: Pick<HostFacts, 'totalMemoryBytes' | 'freeMemoryBytes'>;
  readonly memoryNeeds: MemoryNeeds;
}> = {
  name: 'memory',
  about: 'there is enough memory for the agent and a few small pods',
  judge({ host: { totalMemoryBytes, freeMemoryBytes }, memoryNeeds: { totalBytes, comfortableBytes, freeBytes } }) {
    const found = `${bytesText(freeMemoryBytes)} free of ${bytesText(totalMemoryBytes)}`;
    if (totalMemoryBytes < totalBytes) return fail(found, `Give the machine at least ${bytesText(totalBytes)}.`);
    if (totalMemoryBytes < comfortableBytes) return warn(found, 'Do not expect many pods to fit.');
    if (freeMemoryBytes < freeBytes) return warn(found, 'Stop programs that are not needed.');
    return pass(found);
  },
};

/** A disk, and the space that is needed on it. */
export interface DiskSpace {
  readonly disk: DiskFacts;
  readonly neededBytes: number;
  /** Below this there is a warning. */
  readonly comfortableBytes?: number;
}

/** Whether there is enough free disk space. */
export const disk: Check<{ readonly space: DiskSpace }> = {
  name: 'disk',
  about: 'there is enough free disk space',
  judge({ space: { disk: found, neededBytes, comfortableBytes = 0 } }) {
    const { freeBytes, totalBytes, path } = found;
    const reason = `${bytesText(freeBytes)} free of ${bytesText(totalBytes)} at "${path}", ${bytesText(neededBytes)} needed`;
    if (freeBytes < neededBytes) return fail(reason, `Free at least ${bytesText(neededBytes)}.`);
    if (freeBytes < comfortableBytes) return warn(reason, 'Free some space: images and backups need it.');
    return pass(reason);
  },
};

/** Certificates are only as good as the clock they are judged by. */
export const clock: Check<{
  readonly host: Pick<HostFacts, 'clock' | 'os'>;
  /** When this program was made: a clock that is behind it is wrong. */
  readonly madeAt: Date;
  /** The comparison with the cloud's clock, where there was one. */
  readonly cloudClock?: Finding;
}> = {
  name: 'clock',
  about: 'the clock is right, agrees with that of the cloud, and is synchronized',
  judge({ host: { clock: found, os }, madeAt, cloudClock }) {
    const now = found.now.toISOString();
    const timeService =
      os === 'windows' ? 'the Windows Time service' : 'a time service such as systemd-timesyncd or chrony';
    if (found.now < madeAt)
      return fail(`The clock shows ${now}, which is before the build time of this program`, 'Set the clock.');
    if (cloudClock?.verdict === 'fail') return cloudClock;
    if (found.synchronized === false)
      return warn(`The clock shows ${now}, and is not synchronized`, `Start ${timeService}.`);
    if (found.synchronized === undefined)
      return warn(
        `The clock shows ${now}; whether it is synchronized is unknown`,
        `Make sure that ${timeService} runs.`,
      );
    return pass(`The clock shows ${now} and is synchronized`);
  },
};
