import { OperatorError } from '@fenestra/kernel';
import type { Message } from '@fenestra/contracts';

interface Waiting {
  readonly resolve: (answer: Message) => void;
  readonly reject: (reason: unknown) => void;
}

/** The requests that wait for their answer, found again by the id they were sent with. */
export interface PendingRequests {
  /** Waits for the answer to `message`; the message itself is not sent here. */
  wait(message: Message, timeoutMs: number, signal: AbortSignal | undefined): Promise<Message>;
  /** Gives an answer to whoever waits for it; false if nobody does. */
  answer(message: Message): boolean;
  /** Fails the one that waits for the answer to `message`. */
  fail(message: Message, reason: unknown): void;
  /** Fails all that wait. */
  failAll(reason: unknown): void;
}

/** Makes an empty collection. */
export function pendingRequests(): PendingRequests {
  const waiting = new Map<string, Waiting>();
  return {
    async wait(message, timeoutMs, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Message>();
      const aborted = (): void => reject(signal?.reason);
      const timer = setTimeout(() => reject(unanswered(message, timeoutMs)), timeoutMs);
      signal?.addEventListener('abort', aborted, { once: true });
      waiting.set(message.header.id, { resolve, reject });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        waiting.delete(message.header.id);
      }
    },
    answer(message) {
      const caller = waiting.get(message.header.parentId ?? '');
      caller?.resolve(message);
      return caller !== undefined;
    },
    fail: (message, reason) => waiting.get(message.header.id)?.reject(reason),
    failAll(reason) {
      for (const { reject } of waiting.values()) reject(reason);
      waiting.clear();
    },
  };
}

function unanswered({ route }: Message, timeoutMs: number): OperatorError {
  const action = `get an answer to "${route.operation} ${route.resource}" within ${Math.ceil(timeoutMs / 1000)} s`;
  return new OperatorError('TIMED_OUT', `Cannot ${action}`, {
    hint: 'Check that the cloud is up and its Kubernetes API answers.',
  });
}
