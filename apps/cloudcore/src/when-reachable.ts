import { OperatorError } from '@fenestra/kernel';
import { jitteredBackoff, pause } from '@fenestra/kube-api';
import type { Logger } from '@fenestra/platform';

/** Does something with the Kubernetes API, again and again while the API is away; every other failure is final. */
export async function whenReachable<T>(work: () => Promise<T>, log: Logger, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isAway(error)) throw error;
      log.warn('The Kubernetes API does not answer; trying again', { error: String(error), failures: failures + 1 });
      await pause(jitteredBackoff(failures), signal);
    }
  }
}

function isAway(error: unknown): boolean {
  return error instanceof OperatorError && (error.code === 'API_UNREACHABLE' || error.code === 'API_FAILED');
}
