/** A transfer that must say whenever something has arrived. */
export type Transfer<Result> = (signal: AbortSignal, alive: () => void) => Promise<Result>;

/** Runs a transfer, and breaks it off when nothing arrives for so long; that is an error with a message for people. */
export async function unlessStalled<Result>(
  limitMs: number,
  transfer: Transfer<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), limitMs);
  try {
    return await transfer(AbortSignal.any([signal, stalled.signal]), () => void timer.refresh());
  } catch (cause) {
    throw stalled.signal.aborted ? new Error(`nothing has arrived for ${limitMs / 1000} s`, { cause }) : cause;
  } finally {
    clearTimeout(timer);
  }
}
