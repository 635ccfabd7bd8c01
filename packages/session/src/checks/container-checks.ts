import { isAtLeast } from '@fenestra/contracts/kube';
import type { LinuxWorkerFacts, WindowsWorkerFacts, WorkerHostFacts } from '@fenestra/platform';
import { type Check, fail, type Finding, pass, warn } from './check.ts';

/** Without these no pod has limits. */
const NEEDED_CONTROLLERS = ['cpu', 'memory'] as const;

/** The first kubelet that wants the second version of control groups. */
const UNIFIED_CGROUPS_MINOR = 35;

/** Whether the system has switched on what containers need: the Containers feature, or control groups. */
export const features: Check<{ readonly worker: WorkerHostFacts; readonly kubeletVersion?: string | undefined }> = {
  name: 'features',
  about: 'the Containers feature (Windows) or control groups (Linux) are enabled',
  judge: ({ worker, kubeletVersion }) =>
    worker.os === 'windows' ? judgeFeature(worker) : judgeCgroups(worker, kubeletVersion),
};

function judgeFeature({ containersFeature }: WindowsWorkerFacts): Finding {
  if (containersFeature === true) return pass('The Containers feature is on');
  if (containersFeature === undefined)
    return warn('Whether the Containers feature is on is not known', 'Make sure that it is on.');
  return fail(
    'The Containers feature is off',
    'Run "Install-WindowsFeature -Name Containers" in PowerShell, then restart the machine.',
  );
}

function judgeCgroups({ cgroups, cgroupControllers }: LinuxWorkerFacts, kubeletVersion: string | undefined): Finding {
  if (cgroups === 'none') return fail('There are no control groups', 'Mount them at "/sys/fs/cgroup".');
  const missing = NEEDED_CONTROLLERS.filter((name) => !cgroupControllers.includes(name));
  if (missing.length > 0)
    return fail(`The control groups cannot limit ${missing.join(' and ')}`, controllerRemedy(missing));
  if (cgroups === 'v1' && kubeletVersion !== undefined && isAtLeast(kubeletVersion, UNIFIED_CGROUPS_MINOR)) {
    return warn(
      `Control groups are of version 1, which kubelet ${kubeletVersion} may refuse`,
      'Boot with "systemd.unified_cgroup_hierarchy=1", or set "failCgroupV1: false" for the kubelet.',
    );
  }
  return pass(`Control groups are of version ${cgroups === 'v2' ? 2 : 1}`);
}

/** Kernels for small machines switch the accounting of memory off to save some. */
function controllerRemedy(missing: readonly string[]): string {
  return missing.includes('memory')
    ? 'Add "cgroup_enable=memory" to the command line of the kernel and restart the machine.'
    : `Enable the controllers "${missing.join('", "')}" of control groups, and restart the machine.`;
}

/** Whether packets of pods can leave the machine. */
export const forwarding: Check<{ readonly worker: WorkerHostFacts }> = {
  name: 'forwarding',
  about: 'packets of pods can leave the machine (Linux)',
  judge({ worker }) {
    if (worker.os === 'windows') return pass('Windows forwards what its networks of containers need');
    if (worker.forwarding !== false) return pass('IPv4 packets are forwarded');
    return fail(
      'IPv4 forwarding is disabled, so pods cannot reach other hosts',
      'Set "net.ipv4.ip_forward = 1" in a file in "/etc/sysctl.d", then run "sysctl --system".',
    );
  },
};

/** Whether there is swap that keeps a kubelet from starting. */
export const swap: Check<{ readonly worker: WorkerHostFacts; readonly swapTolerated: boolean }> = {
  name: 'swap',
  about: 'no swap keeps the kubelet from starting (Linux)',
  judge({ worker, swapTolerated }) {
    if (worker.os === 'windows') return pass('Windows manages its page file');
    if (worker.swap.length === 0) return pass('There is no swap');
    const found = `There is swap: ${worker.swap.join(', ')}`;
    if (swapTolerated) return pass(`${found}; the configuration allows it`);
    return fail(
      `${found}, and a kubelet refuses to start with it`,
      'Switch it off with "swapoff -a" and take it out of "/etc/fstab", or set "failSwapOn: false" for the kubelet.',
    );
  },
};
