import { GrpcFailure } from '@fenestra/cri';

/**
 * Does something by the runtime, and records the error that the runtime answers. While the runtime does not answer at all,
 * the node says so, and not each of its pods.
 */
export async function recordFailure<T>(work: () => Promise<T>, record: (error: string) => void): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof GrpcFailure) record(cause.message);
    throw cause;
  }
}
