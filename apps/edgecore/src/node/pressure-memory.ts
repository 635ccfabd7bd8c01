/** Says whether a pressure is to be reported, given whether it is there right now. */
export type PressureMemory = (type: string, isHigh: boolean, now: Date) => boolean;

/** Remembers pressures: one that is over is reported for a while longer, so that nothing flaps. */
export function rememberPressures(transitionMs: number): PressureMemory {
  const lastSeen = new Map<string, number>();
  return (type, isHigh, now) => {
    const time = now.getTime();
    if (isHigh) lastSeen.set(type, time);
    const seen = lastSeen.get(type);
    return seen !== undefined && time - seen < Math.max(transitionMs, 1);
  };
}
