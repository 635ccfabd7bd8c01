import { dirname, join } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { Worker } from 'node:worker_threads';
import { openPlatform } from '#platform';
import { runCloudcore, type OpenThread } from '@fenestra/cloudcore';
import type { BuildInfo } from '../build-info.ts';
import { orReport } from '../terminal.ts';

/** Plays the cloud. */
export async function play(args: readonly string[], { version }: BuildInfo): Promise<number> {
  return orReport(async () => {
    const { files, serviceHost } = await openPlatform(undefined);
    return runCloudcore(args, { version, now: () => new Date(), files, serviceHost, openThread });
  });
}

/** Starts the thread of the embedded API. A thread begins with a file or a text, and in the executable there are no files. */
const openThread: OpenThread = (options) => {
  if (isSea()) return new Worker(`${getAsset('thread.cjs', 'utf8')}({}, require, {}, '')`, { ...options, eval: true });
  const [, entry = ''] = process.argv;
  return new Worker(join(dirname(entry), 'threads', 'embedded-api.ts'), options);
};
