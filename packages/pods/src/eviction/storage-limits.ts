import { parseQuantity } from '@fenestra/contracts/objects';
import type { StopRequest } from '../facts.ts';
import type { Pod } from '../pod/pod.ts';
import { limitOf, podLimit } from '../resources/pod-resources.ts';

/** What a pod uses of the disk, in bytes. */
export interface StorageUsage {
  /** Logs and writable layer, by container. */
  readonly containers: ReadonlyMap<string, number>;
  /** By name of the emptyDir volume. */
  readonly volumes: ReadonlyMap<string, number>;
}

/** The request to stop a pod that uses more of the disk than one of its limits; undefined if it does not. */
export function storageLimitExceeded(pod: Pod, usage: StorageUsage): StopRequest | undefined {
  const message = volumeProblem(pod, usage) ?? podProblem(pod, usage) ?? containerProblem(pod, usage);
  return message === undefined ? undefined : { cause: 'evicted', reason: 'Evicted', message, graceSeconds: 1 };
}

const STORAGE = 'ephemeral-storage';

function volumeProblem({ spec }: Pod, { volumes }: StorageUsage): string | undefined {
  for (const { name, emptyDir } of spec.volumes ?? []) {
    const limit = emptyDir?.medium === 'Memory' ? undefined : emptyDir?.sizeLimit;
    const bytes = parseQuantity(limit ?? '') ?? 0;
    if (bytes > 0 && (volumes.get(name) ?? 0) > bytes) {
      return `Usage of EmptyDir volume "${name}" exceeds the limit "${limit}". `;
    }
  }
  return undefined;
}

function podProblem({ spec }: Pod, { containers, volumes }: StorageUsage): string | undefined {
  const limit = podLimit(spec, STORAGE);
  const used = [...containers.values(), ...volumes.values()].reduce((sum, bytes) => sum + bytes, 0);
  if (limit === undefined || used <= limit) return undefined;
  return `Pod ephemeral local storage usage exceeds the total limit of containers ${binaryQuantity(limit)}. `;
}

const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/** In the largest unit in which it is a whole number. */
function binaryQuantity(bytes: number): string {
  const power = UNITS.findLastIndex((_, index) => bytes % 1024 ** index === 0);
  return `${bytes / 1024 ** power}${UNITS[power]}`;
}

function containerProblem({ spec }: Pod, { containers }: StorageUsage): string | undefined {
  for (const container of spec.containers) {
    const limit = limitOf(container, STORAGE);
    if (limit !== undefined && (containers.get(container.name) ?? 0) > limit) {
      const written = container.resources.limits?.[STORAGE];
      return `Container ${container.name} exceeded its local ephemeral storage limit "${written}". `;
    }
  }
  return undefined;
}
