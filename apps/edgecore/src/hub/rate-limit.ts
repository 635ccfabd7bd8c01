/** Lets through so many at once, and so many per second after that. */
export interface RateLimit {
  /** Takes one permission: 0 if it may go now, else the milliseconds to wait before asking again. */
  take(): number;
}

/** A bucket of `burst` permissions that refills with `perSecond`; without a rate everything may go. `now` in ms. */
export function rateLimit(perSecond: number, burst: number, now: () => number): RateLimit {
  if (perSecond <= 0) return { take: () => 0 };
  const size = Math.max(1, burst);
  let filled = size;
  let at = now();
  return {
    take() {
      const time = now();
      filled = Math.min(size, filled + ((time - at) / 1000) * perSecond);
      at = time;
      if (filled < 1) return Math.ceil(((1 - filled) / perSecond) * 1000);
      filled -= 1;
      return 0;
    },
  };
}
