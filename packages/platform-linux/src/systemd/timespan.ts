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
