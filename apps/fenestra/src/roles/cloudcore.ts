import { openPlatform } from '#platform';
import { runCloudcore } from '@fenestra/cloudcore';
import type { BuildInfo } from '../build-info.ts';
import { openThread } from '../open-thread.ts';
import { orReport } from '../or-report.ts';

/** Plays the cloud. */
export async function play(args: readonly string[], { version }: BuildInfo): Promise<number> {
  return orReport(async () => {
    const { files, serviceHost } = await openPlatform(undefined);
    return runCloudcore(args, { version, now: () => new Date(), files, serviceHost, openThread });
  });
}
