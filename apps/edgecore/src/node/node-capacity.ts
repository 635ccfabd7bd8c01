import { formatCpu, formatKibibytes, parseQuantity, parseThreshold } from '@fenestra/contracts/objects';
import type { Machine } from './machine.ts';
import type { NodeSettings } from './node-settings.ts';

/** Amounts by resource name, as Kubernetes writes them. */
export type Resources = { readonly [name: string]: string };

/** What the machine has. */
export function nodeCapacity(machine: Machine, settings: NodeSettings): Resources {
  const { cpuCount, facts, disk } = machine;
  return {
    cpu: formatCpu(cpuCount),
    'ephemeral-storage': formatKibibytes(disk.totalBytes),
    memory: formatKibibytes(facts.totalMemoryBytes),
    pods: String(mostPods(machine, settings)),
  };
}

/** What of it pods may use: without what is reserved and what must stay free. */
export function nodeAllocatable(machine: Machine, settings: NodeSettings): Resources {
  const { cpuCount, facts, disk } = machine;
  const { evictionHard } = settings;
  const memory = facts.totalMemoryBytes - parseThreshold(evictionHard['memory.available'], facts.totalMemoryBytes);
  const storage = disk.totalBytes - parseThreshold(evictionHard['nodefs.available'], disk.totalBytes);
  return {
    cpu: formatCpu(Math.max(0, cpuCount - reserved(settings, 'cpu'))),
    'ephemeral-storage': String(Math.max(0, Math.floor(storage - reserved(settings, 'ephemeral-storage')))),
    memory: formatKibibytes(Math.max(0, memory - reserved(settings, 'memory'))),
    pods: String(mostPods(machine, settings)),
  };
}

function mostPods({ cpuCount }: Machine, { maxPods, podsPerCore }: NodeSettings): number {
  return podsPerCore > 0 ? Math.min(maxPods, podsPerCore * cpuCount) : maxPods;
}

function reserved(settings: NodeSettings, resource: string): number {
  return settings.reserved.reduce((sum, amounts) => sum + (parseQuantity(amounts[resource] ?? '') ?? 0), 0);
}
