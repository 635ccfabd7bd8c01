const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** The time since a timestamp as `kubectl get` shows ages: two units at most, and fewer the older it is. */
export function ageOf(timestamp: string, now: Date): string {
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now.getTime() - then);
}

/** A duration in milliseconds as `kubectl` writes it: `45s`, `5m10s`, `3h`, `4d2h`. */
export function humanDuration(milliseconds: number): string {
  if (milliseconds < -SECOND) return '<invalid>';
  if (milliseconds < 2 * MINUTE) return `${Math.max(0, Math.trunc(milliseconds / SECOND))}s`;
  if (milliseconds < 10 * MINUTE) return twoUnits(milliseconds, [MINUTE, 'm'], [SECOND, 's']);
  if (milliseconds < 3 * HOUR) return `${Math.trunc(milliseconds / MINUTE)}m`;
  if (milliseconds < 8 * HOUR) return twoUnits(milliseconds, [HOUR, 'h'], [MINUTE, 'm']);
  if (milliseconds < 2 * DAY) return `${Math.trunc(milliseconds / HOUR)}h`;
  if (milliseconds < 8 * DAY) return twoUnits(milliseconds, [DAY, 'd'], [HOUR, 'h']);
  if (milliseconds < 2 * YEAR) return `${Math.trunc(milliseconds / DAY)}d`;
  if (milliseconds < 8 * YEAR) return twoUnits(milliseconds, [YEAR, 'y'], [DAY, 'd']);
  return `${Math.trunc(milliseconds / YEAR)}y`;
}

function twoUnits(milliseconds: number, large: readonly [number, string], small: readonly [number, string]): string {
  const rest = Math.trunc((milliseconds % large[0]) / small[0]);
  return `${Math.trunc(milliseconds / large[0])}${large[1]}${rest === 0 ? '' : `${rest}${small[1]}`}`;
}
