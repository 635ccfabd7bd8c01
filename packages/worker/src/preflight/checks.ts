import { isAtLeast } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { LinuxWorkerFacts, WindowsWorkerFacts, WorkerHostFacts } from '@fenestra/platform';
import { type Check, fail, failedBy, type Finding, pass, skip, warn } from '@fenestra/session';
import { judgeSkew } from '../version-traits.ts';
import type { PreflightFacts } from './gather-preflight.ts';

const USUAL_DRIVE = 'C:';

/** Which drive everything goes to, wherever this program runs from. */
export const drives: Check<{ readonly worker: WorkerHostFacts }> = {
  name: 'drives',
  about: 'which drive everything is installed on (Windows)',
  judge({ worker }) {
    if (worker.os === 'linux') return pass('There are no drives');
    const { systemDrive, programDrive } = worker;
    const elsewhere = programDrive === systemDrive ? '' : `, although this program runs from ${programDrive}`;
    const found = `Everything goes to ${systemDrive}${elsewhere}`;
    if (systemDrive.toUpperCase() === USUAL_DRIVE) return pass(found);
    return warn(found, `Network plugins and scripts often take ${USUAL_DRIVE} for granted.`);
  },
};

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

/** Whether this kubelet and this cluster may work together. */
export const kubeletSkew: Check<Pick<PreflightFacts, 'cluster' | 'kubeletVersion'>> = {
  name: 'kubelet-version',
  about: 'the kubelet and the API server may work together',
  judge({ cluster, kubeletVersion: kubelet }) {
    if (cluster === undefined || kubelet === undefined) return skip('The two versions are not known');
    const { version: apiServer } = cluster;
    const verdict = judgeSkew({ kubelet, apiServer });
    if (verdict.state === 'fits') return pass(`kubelet ${kubelet} fits API server ${apiServer}`);
    return failedBy(
      new OperatorError('VERSION_SKEW', `Cannot use this kubelet with this cluster: ${verdict.reason}`, {
        hint: `Use a kubelet of version ${apiServer}, which always fits.`,
        details: { kubelet, apiServer },
      }),
    );
  },
};

/** Whether Windows can make networks for containers: the Host Networking Service. */
export const networkService: Check<{ readonly worker: WorkerHostFacts }> = {
  name: 'network-service',
  about: 'the Host Networking Service exists (Windows)',
  judge({ worker }) {
    if (worker.os === 'linux') return pass('Networks of containers belong to the plugins');
    const { networkService: state } = worker;
    if (state === 'absent')
      return fail(
        'There is no Host Networking Service',
        'Enable the Containers feature, which installs this service, then restart the machine.',
      );
    // It starts by itself as soon as a network is requested.
    return pass(`The Host Networking Service is ${state}`);
  },
};

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

/** Whether the kubelet's service is ours to make and change. */
export const service: Check<Pick<PreflightFacts, 'foreignService' | 'service'>> = {
  name: 'service',
  about: 'the service "kubelet" belongs to keadm, or does not exist',
  binding: true,
  judge({ foreignService, service: { state } }) {
    if (foreignService !== undefined) return failedBy(foreignService);
    return pass(state === 'absent' ? 'There is no kubelet service yet' : `The kubelet's service is ours, and ${state}`);
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
    if (swapTolerated) return pass(`${found}; the kubelet's configuration allows it`);
    return fail(
      `${found}, and a kubelet refuses to start with it`,
      'Switch it off with "swapoff -a" and take it out of "/etc/fstab", or set "failSwapOn: false" for the kubelet.',
    );
  },
};
