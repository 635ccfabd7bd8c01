import { type Check, fail, pass } from './check.ts';

/** A port that the node agent or the kubelet listens on. */
export interface NodePort {
  readonly port: number;
  /** The setting that it comes from, where it can be set. */
  readonly setting?: string;
  readonly free: boolean;
}

/** Whether the agent or the kubelet can listen where it must. */
export const ports: Check<{
  readonly ports: readonly NodePort[];
  /** Whether the agent or the kubelet of keadm runs, so that the ports are in use by it. */
  readonly ownServiceRuns: boolean;
}> = {
  name: 'ports',
  about: 'no other program uses the ports of the agent or the kubelet',
  judge({ ports: needed, ownServiceRuns }) {
    if (needed.length === 0) return pass('The agent listens on no port');
    const busy = needed.filter(({ free }) => !free);
    if (busy.length === 0) return pass(`Free: ${needed.map(nameOf).join(', ')}`);
    if (ownServiceRuns) return pass(`In use by the node itself: ${busy.map(nameOf).join(', ')}`);
    const remedy = busy.some(({ setting }) => setting !== undefined)
      ? 'Stop that program, or set another port.'
      : 'Stop that program; if it is another kubelet, this machine is a worker already.';
    return fail(`In use by another program: ${busy.map(nameOf).join(', ')}`, remedy);
  },
};

function nameOf({ port, setting }: NodePort): string {
  return setting === undefined ? `port ${port}` : `port ${port} ("${setting}")`;
}
