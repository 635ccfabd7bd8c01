import { qualityOfService } from '@fenestra/contracts/objects';
import type { Container } from '../pod/container-fields.ts';
import type { Pod } from '../pod/pod.ts';
import { CPU_PERIOD, cpuQuota, cpuShares } from './cpu.ts';
import { oomScore } from './oom-score.ts';
import { limitOf, milli, requestOf } from './pod-resources.ts';

/** What the machine offers that limits depend on. */
export interface MachineFacts {
  readonly cpuCount: number;
  readonly memoryBytes: number;
  readonly cgroupVersion: 1 | 2;
  /** Whether the kernel counts swap per cgroup. */
  readonly countsSwap: boolean;
  /** Whether limits of processors are enforced. */
  readonly cpuQuota: boolean;
  /** Whether only the process that runs out of memory is killed, and not the whole container. */
  readonly singleProcessOomKill: boolean;
  /** The sizes of huge pages, such as `2MB`, if their controller is on. */
  readonly hugePageSizes: readonly string[];
}

/** The limits of a container on Linux, in the form of the runtime interface. */
export interface LinuxContainerResources {
  readonly cpuPeriod: bigint;
  readonly cpuQuota: bigint;
  readonly cpuShares: bigint;
  readonly memoryLimitInBytes: bigint;
  readonly memorySwapLimitInBytes: bigint;
  readonly oomScoreAdj: bigint;
  readonly hugepageLimits: { readonly pageSize: string; readonly limit: bigint }[];
  readonly unified: Record<string, string>;
}

/** The limits of a container on Windows, in the form of the runtime interface. */
export interface WindowsContainerResources {
  readonly cpuMaximum: bigint;
  readonly memoryLimitInBytes: bigint;
}

/** The limits of a container on Linux. Zero means none. */
export function linuxResources(pod: Pod, container: Container, machine: MachineFacts): LinuxContainerResources {
  const cpuLimit = limitOf(container, 'cpu');
  const memory = BigInt(Math.ceil(limitOf(container, 'memory') ?? 0));
  return {
    cpuPeriod: BigInt(CPU_PERIOD),
    cpuQuota: machine.cpuQuota && cpuLimit !== undefined ? BigInt(cpuQuota(cpuLimit)) : 0n,
    cpuShares: BigInt(cpuShares(requestOf(container, 'cpu'))),
    memoryLimitInBytes: memory,
    memorySwapLimitInBytes: machine.countsSwap ? memory : 0n,
    oomScoreAdj: BigInt(oomScore(pod, container, machine.memoryBytes)),
    hugepageLimits: machine.hugePageSizes.map((pageSize) => ({ pageSize, limit: 0n })),
    unified: machine.cgroupVersion === 2 && !machine.singleProcessOomKill ? { 'memory.oom.group': '1' } : {},
  };
}

const MAX_PERCENT = 10_000;

/** The limits of a container on Windows. Requests are not passed: the runtime refuses both. Zero means none. */
export function windowsResources(container: Container, { cpuCount }: MachineFacts): WindowsContainerResources {
  const cpuLimit = limitOf(container, 'cpu');
  const share = cpuLimit === undefined ? 0 : Math.floor((10 * milli(cpuLimit)) / cpuCount);
  return {
    cpuMaximum: cpuLimit === undefined ? 0n : BigInt(Math.min(MAX_PERCENT, Math.max(1, share))),
    memoryLimitInBytes: BigInt(Math.ceil(limitOf(container, 'memory') ?? 0)),
  };
}

/** How well a pod is treated when its node runs short. */
export function qosOf(pod: Pod): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  return qualityOfService(pod);
}
