/** Runs work as soon as fewer than the limit are under way, in order of asking. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Makes a limiter of so many at once. */
export function limiter(most: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  const enter = (): Promise<void> | undefined => {
    if (running < most) {
      running++;
      return undefined;
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
