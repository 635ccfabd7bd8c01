import { parseArgs } from 'node:util';
import { openPlatform } from '#platform';
import { kubeletProgram } from '@fenestra/worker/kubelet';
import { orReport } from '../or-report.ts';

/** Plays the kubelet's service: starts the kubelet with the arguments that are in force now. */
export async function play(args: readonly string[]): Promise<number> {
  return orReport(async () => {
    const { root } = parseArgs({ args: [...args], options: { root: { type: 'string' } } }).values;
    const { workerLayout, programHost, workerFacts } = await openPlatform(root);
    const { os } = await workerFacts();
    return programHost.run(kubeletProgram({ layout: workerLayout, os }));
  });
}
