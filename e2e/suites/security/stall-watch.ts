import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { StallOrder, StallReport } from './stall-watch-main.ts';

/** A watch over how long a server keeps its callers waiting because it is busy. */
export interface StallWatch {
  stop(): Promise<StallReport>;
}

/** Starts asking for a page of a server again and again, from a thread that the test itself cannot delay. */
export function watchForStalls(order: StallOrder): StallWatch {
  const worker = new Worker(new URL('stall-watch-main.ts', import.meta.url), { workerData: order });
  const failed = once(worker, 'error').then(([error]: unknown[]) => {
    throw error;
  });
  failed.catch(() => undefined);
  return {
    async stop() {
      const reported = once(worker, 'message');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has no origin.
      worker.postMessage('stop');
      const [report]: StallReport[] = await Promise.race([reported, failed]);
      if (report === undefined) throw new Error('The watch for stalls has ended without a report');
      return report;
    },
  };
}
