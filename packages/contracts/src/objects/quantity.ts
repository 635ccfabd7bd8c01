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
  const [, amount, suffix = ''] = /^((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(text.trim()) ?? [];
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
export function formatKibibytes(bytes: number): string {
  return `${Math.floor(bytes / 1024)}Ki`;
}

/** A number of processors, in thousandths where it is not whole. */
export function formatCpu(cpus: number): string {
  return Number.isInteger(cpus) ? String(cpus) : `${Math.floor(cpus * 1000)}m`;
}
