import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { OpenThread } from '../embedded-api/run-thread.ts';

/** Starts the thread of the embedded API from the sources. */
export const openTestThread: OpenThread = (options) => new Worker(join(import.meta.dirname, 'api-thread.ts'), options);
