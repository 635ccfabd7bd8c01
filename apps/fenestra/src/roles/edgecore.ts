import { openPlatform } from '#platform';
import { runEdgecore } from '@fenestra/edgecore';
import type { BuildInfo } from '../build-info.ts';
import { orReport } from '../terminal.ts';

/** Plays the node agent. */
export async function play(args: readonly string[], { version }: BuildInfo): Promise<number> {
  return orReport(async () => {
    const { files, access, serviceHost, host, pods, systemLog } = await openPlatform(undefined);
    return runEdgecore(args, {
      version,
      now: () => new Date(),
      files,
      access,
      serviceHost,
      host,
      podHost: pods,
      ...(systemLog === undefined ? {} : { systemLog }),
    });
  });
}
