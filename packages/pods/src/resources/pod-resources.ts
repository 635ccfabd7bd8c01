import { parseQuantity } from '@fenestra/contracts/objects';
import type { Container } from '../pod/container-fields.ts';
import { isSidecar, type PodSpec } from '../pod/pod.ts';

/** What a container asks for of a resource: its request, or its limit if it only has that. */
export function requestOf({ resources }: Container, resource: string): number {
  return amount(resources.requests?.[resource] ?? resources.limits?.[resource]) ?? 0;
}

/** What a container may use of a resource at most; undefined without a limit. */
export function limitOf({ resources }: Container, resource: string): number | undefined {
  const limit = amount(resources.limits?.[resource]);
  return limit === 0 ? undefined : limit;
}

/**
 * What a pod asks for of a resource. Init containers run before the regular ones, beside the sidecars that were started
 * before them.
 */
export function podRequest(spec: PodSpec, resource: string): number {
  return overall(spec, (container) => requestOf(container, resource)) + (amount(spec.overhead?.[resource]) ?? 0);
}

/** What a pod may use of a resource at most; undefined unless every container has a limit. */
export function podLimit(spec: PodSpec, resource: string): number | undefined {
  const all = [...spec.containers, ...(spec.initContainers ?? [])];
  if (all.some((container) => limitOf(container, resource) === undefined)) return undefined;
  const overhead = amount(spec.overhead?.[resource]) ?? 0;
  return overall(spec, (container) => limitOf(container, resource) ?? 0) + overhead;
}

/** The memory a pod may use; undefined unless every container has a limit. */
export function memoryLimitOf(spec: PodSpec): number | undefined {
  return podLimit(spec, 'memory');
}

/** Thousandths of a processor, rounded up. */
export function milli(cpus: number): number {
  return Math.ceil(Number((cpus * 1000).toPrecision(15)));
}

function overall({ containers, initContainers = [] }: PodSpec, of: (container: Container) => number): number {
  let sidecars = 0;
  let highestInit = 0;
  for (const container of initContainers) {
    if (isSidecar(container)) sidecars += of(container);
    highestInit = Math.max(highestInit, isSidecar(container) ? sidecars : sidecars + of(container));
  }
  return Math.max(highestInit, sidecars + containers.reduce((sum, container) => sum + of(container), 0));
}

function amount(quantity: string | undefined): number | undefined {
  return quantity === undefined ? undefined : parseQuantity(quantity);
}
