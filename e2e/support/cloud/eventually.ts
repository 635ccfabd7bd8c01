import { setTimeout as delay } from 'node:timers/promises';

/** Tries until it does not fail, and fails as it does last when the time is up. Unlike `vi.waitFor` it works without Vitest. */
export async function eventually<T>(
  attempt: () => Promise<T>,
  { timeout, interval }: { readonly timeout: number; readonly interval: number },
): Promise<T> {
  const deadline = performance.now() + timeout;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await delay(interval);
  }
}
