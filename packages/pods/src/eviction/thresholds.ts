import { parseThreshold } from '@fenestra/contracts/objects';

/** What a node can run short of. */
export type EvictionSignal =
  | 'memory.available'
  | 'nodefs.available'
  | 'nodefs.inodesFree'
  | 'imagefs.available'
  | 'imagefs.inodesFree'
  | 'pid.available';

/** A condition of the node that comes from a signal. */
export type PressureCondition = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

/** How much of something there is. */
export interface Supply {
  readonly available: number;
  readonly capacity: number;
}

/** Thresholds by signal, as the configuration writes them. */
export type ThresholdTexts = Readonly<Record<string, string>>;

/** The thresholds of a node. */
export interface EvictionSettings {
  readonly hard: ThresholdTexts;
  readonly soft: ThresholdTexts;
  /** How long a soft threshold has to be crossed, in milliseconds by signal. */
  readonly softGraceMs: Readonly<Record<string, number>>;
  /** How long a condition outlasts what caused it. */
  readonly transitionMs: number;
}

/** What is remembered from one look to the next. Times are milliseconds since 1970. */
export interface PressureMemory {
  /** Since when each soft threshold has been crossed. */
  readonly softSince: ReadonlyMap<EvictionSignal, number>;
  /** When each condition was last caused. */
  readonly causedAt: ReadonlyMap<PressureCondition, number>;
}

/** A threshold that is crossed so that pods have to go. */
export interface CrossedThreshold {
  readonly signal: EvictionSignal;
  readonly hard: boolean;
  readonly quantity: string;
  readonly available: number;
}

/** What a look at the node found. */
export interface NodePressure {
  /** The memory first, the hard ones before the soft ones. */
  readonly crossed: readonly CrossedThreshold[];
  readonly conditions: ReadonlySet<PressureCondition>;
  readonly memory: PressureMemory;
}

/** No threshold was ever crossed. */
export const NO_PRESSURE: PressureMemory = { softSince: new Map(), causedAt: new Map() };

const SIGNALS: readonly EvictionSignal[] = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
];

/** Compares what the node has with its thresholds. A signal that was not measured counts as enough. */
export function nodePressure(
  supplies: ReadonlyMap<EvictionSignal, Supply>,
  settings: EvictionSettings,
  before: PressureMemory,
  now: number,
): NodePressure {
  const hard = SIGNALS.flatMap((signal) => crossing(signal, settings.hard, supplies, true));
  const soft = SIGNALS.flatMap((signal) => crossing(signal, settings.soft, supplies, false));
  const softSince = new Map(soft.map(({ signal }) => [signal, before.softSince.get(signal) ?? now]));
  const due = soft.filter(({ signal }) => now - (softSince.get(signal) ?? now) >= (settings.softGraceMs[signal] ?? 0));
  const crossed = [...hard, ...due];
  const causedAt = new Map([...before.causedAt, ...crossed.map(({ signal }) => [conditionOf(signal), now] as const)]);
  const lasting = [...causedAt].filter(([, at]) => now - at < settings.transitionMs || at === now);
  const conditions = new Set(lasting.map(([condition]) => condition));
  return { crossed, conditions, memory: { softSince, causedAt: new Map(lasting) } };
}

/** The condition of the node that a signal causes. */
export function conditionOf(signal: EvictionSignal): PressureCondition {
  if (signal === 'memory.available') return 'MemoryPressure';
  return signal === 'pid.available' ? 'PIDPressure' : 'DiskPressure';
}

function crossing(
  signal: EvictionSignal,
  thresholds: ThresholdTexts,
  supplies: ReadonlyMap<EvictionSignal, Supply>,
  hard: boolean,
): readonly CrossedThreshold[] {
  const quantity = thresholds[signal];
  const supply = supplies.get(signal);
  if (quantity === undefined || supply === undefined) return [];
  const { available, capacity } = supply;
  return available < parseThreshold(quantity, capacity) ? [{ signal, hard, quantity, available }] : [];
}
