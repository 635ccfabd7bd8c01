import { dirname, join } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';
import type { OpenThread } from '@fenestra/cloudcore';

/** Starts the thread of the embedded API. A thread begins with a file or a text, and in the executable there are no files. */
export const openThread: OpenThread = (options) => {
  if (isSea()) return new Worker(`${getAsset('thread.cjs', 'utf8')}({}, require, {}, '')`, { ...options, eval: true });
  const [, entry = ''] = process.argv;
  return new Worker(join(dirname(entry), 'threads', 'embedded-api.ts'), options);
};
