import type { RecoveryPolicy } from '@fenestra/platform';
import { parseTimespan } from './timespan.ts';
import type { UnitProperties } from './unit-state.ts';

const RESTARTS: readonly string[] = ['always', 'on-failure', 'on-abnormal', 'on-abort'];

/**
 * What systemd itself will do after a failure, as it says in `systemctl show`. In our units it knows the first wait alone;
 * see `growingDelays` for the others. A unit that others have written may let the wait grow from version 254 on, and
 * then systemd counts until somebody starts the service by hand.
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
