const MILLISECONDS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** The milliseconds of a span of time that the schema accepted, such as `1m30s`. */
export function durationMilliseconds(duration: string): number {
  const parts = [...duration.matchAll(/([-+]?)([\d.]+)(ns|us|µs|μs|ms|s|m|h)/g)];
  return parts.reduce((sum, [, sign, amount, unit]) => {
    const milliseconds = Number(amount) * (MILLISECONDS[unit ?? ''] ?? 0);
    return sum + (sign === '-' ? -milliseconds : milliseconds);
  }, 0);
}
