/** The signal for one call. It must be released when the call has ended. */
export interface CallLimit {
  readonly signal: AbortSignal;
  release(): void;
}

/** Fires with the given signal, or when the time is up. Unlike `within` it leaves no timer behind a call that was short. */
export function deadline(milliseconds: number, signal: AbortSignal): CallLimit {
  return limitedBy(signal, (expire) => {
    const timer = setTimeout(expire, milliseconds);
    return () => clearTimeout(timer);
  });
}

const HEARTBEAT_MS = 30_000;

/**
 * Fires with the given signal, or when the server does not answer a question any more: for calls that may take as long as
 * they need. HTTP/2's own ping would not do. A server written in Go closes a connection on which more than two pings come
 * within five minutes, unless it sends something in between.
 */
export function heartbeat(ask: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal): CallLimit {
  return limitedBy(signal, (expire) => {
    const timer = setInterval(
      () => void stillAnswers(ask, signal).then((answers) => answers || expire()),
      HEARTBEAT_MS,
    );
    return () => clearInterval(timer);
  });
}

/** A call that fails at once has its reason from the server or the connection, and so will the one that is waited for. */
async function stillAnswers(ask: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const limit = deadline(HEARTBEAT_MS, signal);
  try {
    await ask(limit.signal);
    return true;
  } catch {
    return !limit.signal.aborted;
  } finally {
    limit.release();
  }
}

function limitedBy(signal: AbortSignal, start: (expire: () => void) => () => void): CallLimit {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal.reason);
  const stop = start(() => controller.abort(new DOMException('The time is up', 'TimeoutError')));
  signal.addEventListener('abort', follow, { once: true });
  if (signal.aborted) follow();
  return {
    signal: controller.signal,
    release() {
      stop();
      signal.removeEventListener('abort', follow);
    },
  };
}
