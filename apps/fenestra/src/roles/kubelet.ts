import { parseArgs } from 'node:util';
import { interrupt, openPlatform } from '#platform';
import { kubeletProgram } from '@fenestra/worker/kubelet';
import { orReport } from '../terminal.ts';

const OPTIONS = { root: { type: 'string' }, interrupt: { type: 'string' } } as const;

/** Plays the kubelet's service: starts the kubelet with the arguments that are in force now. */
export async function play(args: readonly string[]): Promise<number> {
  return orReport(async () => {
    const { root, interrupt: pid } = parseArgs({ args: [...args], options: OPTIONS }).values;
    // How the service's own process tells the kubelet to end, where that takes another process.
    if (pid !== undefined) return (await interrupt(Number(pid))) ? 0 : 1;
    const { workerLayout, programHost, workerFacts } = await openPlatform(root);
    const { os } = await workerFacts();
    return programHost.run(kubeletProgram({ layout: workerLayout, os }));
  });
}
