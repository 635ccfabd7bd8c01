import { orderKeyOf } from './handler-table.ts';
import type { NodeRequest, RequestHandler } from './node-request.ts';

/** Work for one node. Tasks of a node with the same key run one after the other, in order. */
export interface Task {
  readonly node: string;
  readonly key: string;
  run(): Promise<void>;
}

/** How much may be under way. */
interface QueueLimits {
  readonly atOnce: number;
  readonly atOncePerNode: number;
  readonly waitingPerNode: number;
  readonly waiting: number;
}

/** A queue in which a node that asks for much delays no one but itself. */
interface RequestQueue {
  /** False if too much waits already: nothing will be run. */
  add(task: Task): boolean;
  readonly waiting: number;
  readonly running: number;
}

interface Lane {
  readonly waiting: Task[];
  readonly runningKeys: Set<string>;
}

/** Takes turns between nodes. Tasks must not reject. */
export function requestQueue(limits: QueueLimits): RequestQueue {
  const lanes = new Map<string, Lane>();
  let waiting = 0;
  let running = 0;
  const start = (lane: Lane, task: Task): void => {
    lane.waiting.splice(lane.waiting.indexOf(task), 1);
    lane.runningKeys.add(task.key);
    [waiting, running] = [waiting - 1, running + 1];
    void task.run().finally(() => {
      lane.runningKeys.delete(task.key);
      running--;
      if (lane.waiting.length === 0 && lane.runningKeys.size === 0) lanes.delete(task.node);
      pump();
    });
  };
  const pump = (): void => {
    // One task per node and round; a lane that was served goes to the end, so that no one is served twice before others.
    for (let served = true; served && running < limits.atOnce;) {
      served = false;
      // A copy: lanes move to the end of the map while it is walked.
      const round = Array.from(lanes);
      for (const [node, lane] of round) {
        if (running >= limits.atOnce) return;
        const task = lane.runningKeys.size < limits.atOncePerNode ? firstRunnable(lane) : undefined;
        if (task === undefined) continue;
        lanes.delete(node);
        lanes.set(node, lane);
        start(lane, task);
        served = true;
      }
    }
  };
  return {
    add(task) {
      const lane = lanes.get(task.node) ?? { waiting: [], runningKeys: new Set<string>() };
      if (lane.waiting.length >= limits.waitingPerNode || waiting >= limits.waiting) return false;
      lanes.set(task.node, lane);
      lane.waiting.push(task);
      waiting++;
      pump();
      return true;
    },
    get waiting() {
      return waiting;
    },
    get running() {
      return running;
    },
  };
}

function firstRunnable(lane: Lane): Task | undefined {
  return lane.waiting.find((task) => !lane.runningKeys.has(task.key));
}

/** Requests that one call answers: the last of them is carried out, all are answered. */
export interface Batch {
  readonly handler: RequestHandler;
  readonly requests: NodeRequest[];
}

/** Requests on their way to the Kubernetes API. */
interface RequestBatches {
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
