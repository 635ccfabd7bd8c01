import { type ErrorCode, OperatorError } from '@fenestra/kernel';
import { pause } from '@fenestra/platform';

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

/** Tries until it succeeds, with pauses that grow. What waiting does not fix ends it at once. */
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

/** Waiting may fix these: a cluster that starts, a signer that has not come round yet. */
const PASSING: readonly ErrorCode[] = [
  'API_UNREACHABLE',
  'API_FAILED',
  'API_FORBIDDEN',
  'API_NOT_FOUND',
  'API_REFUSED',
  'TOKEN_INVALID',
];

function isPassing(error: unknown): error is OperatorError {
  return error instanceof OperatorError && PASSING.includes(error.code);
}

/** Who never answered, or never knew the token, is said plainly; else the last cause comes along. */
function tooLate(host: string, limitMs: number, last: OperatorError): OperatorError {
  if (last.code === 'TOKEN_INVALID' || last.code === 'API_UNREACHABLE') return last;
  const seconds = Math.round(limitMs / 1000);
  return new OperatorError('TIMED_OUT', `Cannot find the cluster at "${host}" within ${seconds} s: ${last.message}`, {
    hint: last.hint,
    cause: last,
  });
}
