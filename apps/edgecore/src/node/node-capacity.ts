import type { Machine } from './machine.ts';
import type { NodeSettings } from './node-settings.ts';

/** Amounts by resource name, as Kubernetes writes them. */
export type Resources = { readonly [name: string]: string };

/** What the machine has. */
export function nodeCapacity({ cpuCount, facts, disk }: Machine, { maxPods }: NodeSettings): Resources {
  return {
    cpu: formatCpu(cpuCount),
    'ephemeral-storage': formatKibibytes(disk.totalBytes),
    memory: formatKibibytes(facts.totalMemoryBytes),
    pods: String(maxPods),
  };
}

/** What of it pods may use: without what is reserved and what must stay free. */
export function nodeAllocatable(machine: Machine, settings: NodeSettings): Resources {
  const { cpuCount, facts, disk } = machine;
  const { maxPods, evictionHard } = settings;
  const memory = facts.totalMemoryBytes - parseThreshold(evictionHard['memory.available'], facts.totalMemoryBytes);
  const storage = disk.totalBytes - parseThreshold(evictionHard['nodefs.available'], disk.totalBytes);
  return {
    cpu: formatCpu(Math.max(0, cpuCount - reserved(settings, 'cpu'))),
    'ephemeral-storage': String(Math.max(0, Math.floor(storage - reserved(settings, 'ephemeral-storage')))),
    memory: formatKibibytes(Math.max(0, memory - reserved(settings, 'memory'))),
    pods: String(maxPods),
  };
}

function reserved(settings: NodeSettings, resource: string): number {
  return settings.reserved.reduce((sum, amounts) => sum + (parseQuantity(amounts[resource] ?? '') ?? 0), 0);
}

const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ['n', 1e-9],
  ['u', 1e-6],
  ['m', 1e-3],
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['P', 1e15],
  ['E', 1e18],
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
  ['Ti', 2 ** 40],
  ['Pi', 2 ** 50],
  ['Ei', 2 ** 60],
]);

/** Reads an amount as Kubernetes writes it, such as `100Mi` or `500m`; `undefined` for anything else. */
export function parseQuantity(text: string): number | undefined {
  const [, amount, suffix = ''] = /^(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(text.trim()) ?? [];
  const multiplier = MULTIPLIERS.get(suffix);
  return amount === undefined || multiplier === undefined ? undefined : Number(amount) * multiplier;
}

/** Reads a threshold: a share of the whole such as `10%`, or an amount. What cannot be read is no threshold. */
export function parseThreshold(text: string | undefined, whole: number): number {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text?.trim() ?? '') ?? [];
  if (percent !== undefined) return (whole * Number(percent)) / 100;
  return parseQuantity(text ?? '') ?? 0;
}

/** Bytes in the unit in which a kubelet reports memory and disks. */
function formatKibibytes(bytes: number): string {
  return `${Math.floor(bytes / 1024)}Ki`;
}

/** A number of processors, in thousandths where it is not whole. */
function formatCpu(cpus: number): string {
  return Number.isInteger(cpus) ? String(cpus) : `${Math.floor(cpus * 1000)}m`;
}
