import { orderKeyOf } from './handler-table.ts';
import type { NodeRequest, RequestHandler } from './node-request.ts';
import { requestQueue, type QueueLimits } from './request-queue.ts';

/** Requests that one call answers: the last of them is carried out, all are answered. */
export interface Batch {
  readonly handler: RequestHandler;
  readonly requests: NodeRequest[];
}

/** Requests on their way to the Kubernetes API. */
export interface RequestBatches {
  /** Resolves when the request has been answered; undefined if too many wait. */
  add(request: NodeRequest, handler: RequestHandler): Promise<void> | undefined;
  readonly waiting: number;
}

interface PendingBatch extends Batch {
  readonly done: PromiseWithResolvers<void>;
}

/** Queues requests fairly. A request that only counts in its latest form joins the one that waits. */
export function requestBatches(limits: QueueLimits, carryOut: (batch: Batch) => Promise<void>): RequestBatches {
  const queue = requestQueue(limits);
  const joinable = new Map<string, PendingBatch>();
  const run = async (key: string, batch: PendingBatch): Promise<void> => {
    if (joinable.get(key) === batch) joinable.delete(key);
    try {
      await carryOut(batch);
    } finally {
      batch.done.resolve();
    }
  };
  const start = (request: NodeRequest, handler: RequestHandler, key: string): Promise<void> | undefined => {
    const batch: PendingBatch = { handler, requests: [request], done: Promise.withResolvers() };
    if (handler.latestOnly === true) joinable.set(key, batch);
    const taken = queue.add({ node: request.node, key: orderKeyOf(request), run: () => run(key, batch) });
    if (taken) return batch.done.promise;
    joinable.delete(key);
    return undefined;
  };
  return {
    add(request, handler) {
      const key = `${request.node} ${request.operation} ${orderKeyOf(request)}`;
      const waiting = joinable.get(key);
      if (waiting === undefined) return start(request, handler, key);
      waiting.requests.push(request);
      return waiting.done.promise;
    },
    get waiting() {
      return queue.waiting + queue.running;
    },
  };
}
