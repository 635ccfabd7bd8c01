import { isAtLeast } from '@fenestra/contracts/kube';
import type { LinuxWorkerFacts, WindowsWorkerFacts, WorkerHostFacts } from '@fenestra/platform';
import { type Check, fail, type Finding, pass, warn } from '@fenestra/session';

/** The first kubelet that wants the second version of control groups. */
const UNIFIED_CGROUPS_MINOR = 35;

/** Whether the system has switched on what containers need: the Containers feature, or control groups. */
export const features: Check<{ readonly worker: WorkerHostFacts; readonly kubeletVersion: string | undefined }> = {
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

function judgeCgroups({ cgroups }: LinuxWorkerFacts, kubeletVersion: string | undefined): Finding {
  if (cgroups === 'none') return fail('There are no control groups', 'Mount them at "/sys/fs/cgroup".');
  if (cgroups === 'v1' && kubeletVersion !== undefined && isAtLeast(kubeletVersion, UNIFIED_CGROUPS_MINOR)) {
    return warn(
      `Control groups are of version 1, which kubelet ${kubeletVersion} may refuse`,
      'Boot with "systemd.unified_cgroup_hierarchy=1", or set "failCgroupV1: false" for the kubelet.',
    );
  }
  return pass(`Control groups are of version ${cgroups === 'v2' ? 2 : 1}`);
}
