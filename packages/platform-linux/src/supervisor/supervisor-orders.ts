/** What the one who runs the program does when an order comes. */
export interface OrderTaker {
  stop(): void;
  reload(): void;
}

/** The orders a supervisor gets as signals: SIGTERM and SIGINT to stop, SIGHUP to reload. */
export interface SupervisorOrders {
  readonly stop: AbortSignal;
  /** Passes orders on until the returned function is called. A stop that came before is passed on at once. */
  attach(taker: OrderTaker): () => void;
  close(): void;
}

/** Begins to listen, which also keeps these signals from ending the supervisor at once. */
export function receiveSupervisorOrders(): SupervisorOrders {
  const stop = new AbortController();
  let taker: OrderTaker | undefined;
  const onStop = (): void => stop.abort();
  const onReload = (): void => taker?.reload();
  stop.signal.addEventListener('abort', () => taker?.stop());
  process.on('SIGTERM', onStop).on('SIGINT', onStop).on('SIGHUP', onReload);
  return {
    stop: stop.signal,
    attach(next) {
      taker = next;
      if (stop.signal.aborted) next.stop();
      return () => void (taker = undefined);
    },
    close: () => void process.off('SIGTERM', onStop).off('SIGINT', onStop).off('SIGHUP', onReload),
  };
}
