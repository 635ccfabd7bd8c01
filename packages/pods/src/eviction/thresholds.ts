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
  /** How long a soft threshold has to be crossed, in milliseconds by signal. Without it, the threshold has no effect. */
  readonly softGraceMs: Readonly<Record<string, number>>;
  /** How much more than its threshold has to be there before a crossed one counts as resolved. */
  readonly minimumReclaim: ThresholdTexts;
  /** How long a condition outlasts what caused it. */
  readonly transitionMs: number;
}

/** What is remembered from one look to the next. Times are milliseconds of a clock that is never set. */
export interface PressureMemory {
  /** Since when each soft threshold has been crossed. */
  readonly softSince: ReadonlyMap<EvictionSignal, number>;
  /** What was crossed so that pods had to go. */
  readonly unresolved: readonly CrossedThreshold[];
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
export const NO_PRESSURE: PressureMemory = { softSince: new Map(), unresolved: [], causedAt: new Map() };

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
  const crossingsOf = (hard: boolean): readonly CrossedThreshold[] =>
    SIGNALS.flatMap((signal) => {
      const wasCrossed = before.unresolved.some((each) => each.signal === signal && each.hard === hard);
      return crossing(signal, { hard, wasCrossed }, supplies.get(signal), settings);
    });
  const hard = crossingsOf(true);
  const soft = crossingsOf(false);
  const softSince = new Map(soft.map(({ signal }) => [signal, before.softSince.get(signal) ?? now]));
  const due = soft.filter(
    ({ signal }) => now - (softSince.get(signal) ?? now) >= (settings.softGraceMs[signal] ?? Infinity),
  );
  const crossed = [...hard, ...due];
  const caused = new Set(crossed.map(({ signal }) => conditionOf(signal)));
  const causedAt = new Map([...before.causedAt, ...[...caused].map((condition) => [condition, now] as const)]);
  const lasting = [...causedAt].filter(([condition, at]) => caused.has(condition) || now - at < settings.transitionMs);
  const conditions = new Set(lasting.map(([condition]) => condition));
  return { crossed, conditions, memory: { softSince, unresolved: crossed, causedAt: new Map(lasting) } };
}

/** The condition of the node that a signal causes. */
export function conditionOf(signal: EvictionSignal): PressureCondition {
  if (signal === 'memory.available') return 'MemoryPressure';
  return signal === 'pid.available' ? 'PIDPressure' : 'DiskPressure';
}

function crossing(
  signal: EvictionSignal,
  { hard, wasCrossed }: { readonly hard: boolean; readonly wasCrossed: boolean },
  supply: Supply | undefined,
  settings: EvictionSettings,
): readonly CrossedThreshold[] {
  const quantity = (hard ? settings.hard : settings.soft)[signal];
  if (quantity === undefined || supply === undefined) return [];
  const { available, capacity } = supply;
  const more = wasCrossed ? parseThreshold(settings.minimumReclaim[signal], capacity) : 0;
  return available < parseThreshold(quantity, capacity) + more ? [{ signal, hard, quantity, available }] : [];
}
