import { OperatorError } from '@fenestra/kernel';
import { jitteredBackoff, pause } from '@fenestra/kube-api';

/** Nodes wait a minute for an answer: well before, they get one, be it that the API server is away. */
const PATIENCE_MS = 25_000;

/** Tries again as long as the API server is away or overloaded; every other failure is the answer at once. */
export async function withPatience<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  patienceMs: number = PATIENCE_MS,
): Promise<Result> {
  const deadline = performance.now() + patienceMs;
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const wait = jitteredBackoff(failures);
      if (!isPassing(error) || signal.aborted || performance.now() + wait > deadline) throw error;
      await pause(wait, signal);
    }
  }
}

/** Whether a failure may be gone a moment later. */
function isPassing(error: unknown): boolean {
  return error instanceof OperatorError && (error.code === 'API_UNREACHABLE' || error.code === 'API_FAILED');
}
