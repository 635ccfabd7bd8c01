import { milli } from './pod-resources.ts';

const MIN_SHARES = 2;
const MAX_SHARES = 262_144;
const MIN_QUOTA = 1000;

/** The period in microseconds for which a quota of processor time counts. */
export const CPU_PERIOD = 100_000;

/** The weight of a container or pod by the processors it asks for. */
export function cpuShares(cpus: number): number {
  return Math.min(MAX_SHARES, Math.max(MIN_SHARES, Math.floor((milli(cpus) * 1024) / 1000)));
}

/** The processor time per period for a limit of processors. */
export function cpuQuota(cpus: number): number {
  return Math.max(MIN_QUOTA, Math.floor((milli(cpus) * CPU_PERIOD) / 1000));
}
