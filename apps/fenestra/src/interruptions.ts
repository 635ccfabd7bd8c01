const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Interruptions by the operator: Ctrl-C, or a terminal that goes away. */
export interface Interruptions {
  /** Fires at the first one; a second one ends the process, and recovery deals with the rest. */
  readonly first: AbortSignal;
  /** Fires at the second one, which then does not end the process; a third one does. */
  readonly second: () => AbortSignal;
}

/** Listens from now on. */
export function interruptions(): Interruptions {
  const first = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => first.abort());
  return { first: first.signal, second: () => secondAfter(first.signal) };
}

function secondAfter(first: AbortSignal): AbortSignal {
  const second = new AbortController();
  let isFirst = !first.aborted;
  const count = (): void => {
    if (isFirst) isFirst = false;
    else {
      // First, so that a listener can rely on the next one.
      for (const signal of SIGNALS) process.off(signal, count);
      second.abort();
    }
  };
  for (const signal of SIGNALS) process.on(signal, count);
  return second.signal;
}
