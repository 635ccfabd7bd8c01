import { connectRuntime, type ContainerRuntime, diagnose, runtimeError } from '@fenestra/cri';
import { OperatorError, type StepContext } from '@fenestra/kernel';
import { within } from '@fenestra/platform';
import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';
import type { StepPorts } from '@fenestra/session';
import { GRACE_LIMIT_SECONDS } from './grace-period.ts';
import { otherKubelet } from './other-kubelet.ts';
import { removeOwnPods } from './remove-own-pods.ts';

const LASTING = { lasting: true };

/**
 * Takes the node's pods out of the container runtime and leaves everybody else's there. The agent must be stopped, or it
 * would make them again. What is left undone is reported permanently.
 */
export const removePods = defineStep({
  kind: 'remove-pods',
  pointOfNoReturn: true,
  data: z.object({
    endpoint: z.string(),
    /** For everything but the grace periods. */
    limitSeconds: z.number(),
    /** What no pod exceeds to end. */
    graceLimitSeconds: z.exactOptional(z.number()),
    /** Whether it is a kubelet's own service, stopped by now, whose pods are meant. */
    ofKubelet: z.exactOptional(z.boolean()),
    /** The node whose agent made the pods that are meant; absent where all pods of the machine are the node's. */
    madeBy: z.exactOptional(z.string()),
  }),
  describe: ({ endpoint }) => `Remove this node's pods from the container runtime at "${endpoint}"`,
  async apply(
    { endpoint, limitSeconds, graceLimitSeconds = GRACE_LIMIT_SECONDS, ofKubelet = false, madeBy },
    _before,
    context,
    signal,
  ) {
    const limited = within((limitSeconds + graceLimitSeconds) * 1000, signal);
    const kubelet = madeBy === undefined ? await otherKubelet(context.ports, ofKubelet) : undefined;
    if (kubelet !== undefined) return context.say(`Left every pod at "${endpoint}" alone: ${kubelet}`, LASTING);
    const runtime = await runtimeIfThere(endpoint, context.say, limited);
    if (runtime === undefined) return;
    try {
      const removal = { graceLimitSeconds, ...(madeBy !== undefined && { notMadeBy: madeBy }) };
      await removeOwnPods(runtime, context, limited, removal);
    } catch (error) {
      throw error instanceof OperatorError ? error : runtimeError(error, endpoint);
    } finally {
      runtime.close();
    }
  },
});

/** Says exactly what is left undone where there is no runtime: a container outlives the runtime that started it. */
async function runtimeIfThere(
  endpoint: string,
  say: StepContext<StepPorts>['say'],
  signal: AbortSignal,
): Promise<ContainerRuntime | undefined> {
  const runtime = connectRuntime(endpoint);
  try {
    await runtime.version(signal);
    return runtime;
  } catch (error) {
    runtime.close();
    const { absent, problem } = diagnose(error);
    if (!absent) throw runtimeError(error, endpoint);
    say(`Removed no pods: the container runtime at "${endpoint}" ${problem}`, LASTING);
    say('Containers that it started and that still run were not ended: they run until this machine restarts', LASTING);
    return undefined;
  }
}
