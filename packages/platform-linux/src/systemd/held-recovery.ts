import type { RecoveryPolicy } from '@fenestra/platform';
import type { UnitProperties } from './units.ts';

const RESTARTS: readonly string[] = ['always', 'on-failure', 'on-abnormal', 'on-abort'];

/**
 * What systemd itself will do after a failure, as it says in `systemctl show`. In our units it knows the first wait alone;
 * see `growingDelays` for the others. A unit that others have written may let the wait grow from version 254 on, and
 * then systemd counts until someone starts the service manually.
 */
export function heldRecovery(properties: UnitProperties): RecoveryPolicy {
  return { restartDelaysSeconds: heldDelays(properties), resetAfterSeconds: Number.POSITIVE_INFINITY };
}

function heldDelays({ Restart, RestartUSec, RestartSteps, RestartMaxDelayUSec }: UnitProperties): readonly number[] {
  const first = parseTimespan(RestartUSec ?? '');
  if (first === undefined || !RESTARTS.includes(Restart ?? '')) return [];
  const steps = Number(RestartSteps ?? 0);
  const last = parseTimespan(RestartMaxDelayUSec ?? 'infinity') ?? Number.POSITIVE_INFINITY;
  const grows = steps > 0 && first > 0 && last > first && last !== Number.POSITIVE_INFINITY;
  return grows ? growingDelays(first, last, steps) : [first];
}

/** systemd multiplies by the same factor at every step. */
function growingDelays(first: number, last: number, steps: number): readonly number[] {
  const delays = Array.from({ length: steps + 1 }, (_, step) => first * (last / first) ** (step / steps));
  return delays.map((seconds) => Math.round(seconds * 1000) / 1000);
}

const SECONDS: Readonly<Record<string, number>> = {
  y: 31_557_600,
  month: 2_629_800,
  w: 604_800,
  d: 86_400,
  h: 3_600,
  min: 60,
  s: 1,
  ms: 0.001,
  us: 0.000_001,
};

/** The seconds of a time span as systemd writes it (`1min 30s`, `1.5s`, `100ms`, `infinity`); `undefined` for anything else. */
export function parseTimespan(text: string): number | undefined {
  if (text === 'infinity') return Number.POSITIVE_INFINITY;
  if (text === '0') return 0;
  const parts = text.split(' ').map(secondsOf);
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? known.reduce((sum, part) => sum + part, 0) : undefined;
}

function secondsOf(part: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(part) ?? [];
  const seconds = SECONDS[unit];
  return amount === undefined || seconds === undefined ? undefined : Number(amount) * seconds;
}
