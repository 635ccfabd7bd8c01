import { diagnose, withRuntime } from '@fenestra/cri';
import { OperatorError, type StepContext } from '@fenestra/kernel';
import { within } from '@fenestra/platform';
import * as z from 'zod/mini';
import { podVolumesBelow } from '../mount-points.ts';
import { defineStep } from '../define-step.ts';
import type { StepPorts } from '@fenestra/session';
import { unmountPath } from '../unmount.ts';
import { removeOwnPods } from './remove-own-pods.ts';

const LASTING = { lasting: true };

/**
 * Does nothing until a plan turns back: then it removes the pods and mounts that a kubelet has made in the meantime, which is
 * stopped by then. Pods that were there before stay.
 */
export const sweepOnRevert = defineStep({
  kind: 'sweep-on-revert',
  data: z.object({
    /** The container runtime. */
    endpoint: z.string(),
    /** The kubelet's own folder. */
    kubeletFolder: z.string(),
    limitSeconds: z.number(),
  }),
  /** The sandboxes that were there; `null` where the runtime did not answer. */
  before: z.object({ sandboxes: z.nullable(z.array(z.string())) }),
  describe: () => 'Record the present pods, so that only new ones are removed if this fails',
  prepare: async ({ endpoint, limitSeconds }, _context, signal) => ({
    sandboxes: await sandboxesAt(endpoint, within(limitSeconds * 1000, signal)),
  }),
  apply: async () => {},
  async revert(step, { sandboxes }, context, signal) {
    const limited = within(step.limitSeconds * 1000, signal);
    if (sandboxes !== null) await removeNewPods(step.endpoint, sandboxes, context, limited);
    for (const point of await podVolumesBelow(step.kubeletFolder)) await unmountPath(point, context.say, signal);
  },
});

async function sandboxesAt(endpoint: string, signal: AbortSignal): Promise<string[] | null> {
  try {
    const sandboxes = await withRuntime(endpoint, async (runtime) => runtime.listSandboxes({}, signal), signal);
    return sandboxes.map(({ id }) => id);
  } catch (error) {
    if (error instanceof OperatorError && error.code === 'INTERRUPTED') throw error;
    return null;
  }
}

/** A runtime that is gone, or a pod that resists, must not keep the machine half-way: it is reported instead. */
async function removeNewPods(
  endpoint: string,
  spared: readonly string[],
  context: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await withRuntime(
      endpoint,
      async (runtime) => removeOwnPods(runtime, context, signal, { sandboxIds: spared }),
      signal,
    );
  } catch (error) {
    const problem = error instanceof OperatorError ? error.message : `the container runtime ${diagnose(error).problem}`;
    context.say(`Pods may be left at "${endpoint}": ${problem}`, LASTING);
  }
}
