import { pause } from '@fenestra/platform';
import { isPassing, tooLate } from './discovery-errors.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** After this long without an answer the operator wants to know what is waited for. */
const SILENCE_MS = 1_000;

/** How long to look for a cluster, and whom to tell what is in the way. */
export interface Patience {
  /** `host:port`, for people. */
  readonly host: string;
  readonly limitMs: number;
  /** When the time is up, by the clock of `performance`; counted from now if left out. */
  readonly deadline?: number;
  readonly say: (text: string) => void;
}

/** Tries until it succeeds, with pauses that grow. What waiting does not mend ends it at once. */
export async function untilFound<T>(attempt: () => Promise<T>, patience: Patience, signal: AbortSignal): Promise<T> {
  const { host, limitMs, say } = patience;
  const { deadline = performance.now() + limitMs } = patience;
  const inTime = (): string => `for ${Math.ceil((deadline - performance.now()) / 1000)} s at most`;
  const silence = setTimeout(() => say(`waiting for "${host}" to answer, ${inTime()}`), SILENCE_MS);
  let said = '';
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      if (performance.now() + pauseMs > deadline) throw tooLate(host, limitMs, error);
      if (error.message !== said) say(`${(said = error.message)}; retrying, ${inTime()}`);
    } finally {
      clearTimeout(silence);
    }
    await pause(pauseMs, `looking for the cluster at "${host}"`, signal);
  }
}
