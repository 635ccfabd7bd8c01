import type { Pod } from '../pod/pod.ts';
import { qosOf } from './container-resources.ts';
import { CPU_PERIOD, cpuQuota, cpuShares } from './cpu.ts';
import { podLimit, podRequest } from './pod-resources.ts';

/** Who makes the cgroups of containers: it decides how they are named. */
export type CgroupDriver = 'systemd' | 'cgroupfs';

/** The cgroup of a pod, which the agent makes and removes. */
export interface PodCgroup {
  /** The path below the mount of a hierarchy. */
  readonly path: string;
  /** How the sandbox names it as the parent of its containers. */
  readonly parent: string;
  readonly cpuShares: number;
  readonly cpuPeriod: number;
  /** Only if every container has a limit. */
  readonly cpuQuota?: number;
  readonly memoryLimitBytes?: number;
}

/** The cgroup of a pod, by the names a kubelet gives. */
export function podCgroup(pod: Pod, driver: CgroupDriver): PodCgroup {
  const parts = [...qosParts(pod), `pod${pod.metadata.uid}`];
  const path = cgroupPath(parts, driver);
  const quota = podLimit(pod.spec, 'cpu');
  const memory = podLimit(pod.spec, 'memory');
  return {
    path,
    parent: driver === 'systemd' ? path.slice(path.lastIndexOf('/') + 1) : path,
    cpuShares: cpuShares(podRequest(pod.spec, 'cpu')),
    cpuPeriod: CPU_PERIOD,
    ...(quota !== undefined && { cpuQuota: cpuQuota(quota) }),
    ...(memory !== undefined && { memoryLimitBytes: Math.ceil(memory) }),
  };
}

/** The cgroups of the classes of pods: their paths and weights. The class without a name is the root of all pods. */
export function qosCgroups(
  pods: readonly Pod[],
  driver: CgroupDriver,
): readonly { readonly path: string; readonly cpuShares?: number }[] {
  const burstable = pods.filter((pod) => qosOf(pod) === 'Burstable');
  const requested = burstable.reduce((sum, { spec }) => sum + podRequest(spec, 'cpu'), 0);
  return [
    { path: cgroupPath(['kubepods'], driver) },
    { path: cgroupPath(['kubepods', 'burstable'], driver), cpuShares: cpuShares(requested) },
    { path: cgroupPath(['kubepods', 'besteffort'], driver), cpuShares: cpuShares(0) },
  ];
}

/** The uid of the pod whose cgroup has this name; undefined for other cgroups. */
export function podUidOfCgroup(name: string): string | undefined {
  const [, uid] = /(?:^|-)pod([0-9a-zA-Z_-]+?)(?:\.slice)?$/.exec(name) ?? [];
  return name.endsWith('.slice') ? uid?.replaceAll('_', '-') : uid;
}

function qosParts(pod: Pod): readonly string[] {
  const quality = qosOf(pod);
  return quality === 'Guaranteed' ? ['kubepods'] : ['kubepods', quality.toLowerCase()];
}

/** A slice of systemd repeats the names of all that it is in. */
function cgroupPath(parts: readonly string[], driver: CgroupDriver): string {
  if (driver === 'cgroupfs') return `/${parts.join('/')}`;
  const names = parts.map((part) => part.replaceAll('-', '_'));
  return names.map((_, index) => `/${names.slice(0, index + 1).join('-')}.slice`).join('');
}
