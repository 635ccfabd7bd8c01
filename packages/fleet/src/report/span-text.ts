const MINUTE = 60;
const HOUR = 3600;

/** A span of time as people say it: "8 s", "2 min 5 s", "1 h 3 min". */
export function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return twoUnits(seconds, MINUTE, 'min', 1, 's');
  return twoUnits(seconds, HOUR, 'h', MINUTE, 'min');
}

function twoUnits(seconds: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((seconds % large) / small);
  const whole = `${Math.floor(seconds / large)} ${largeName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}
