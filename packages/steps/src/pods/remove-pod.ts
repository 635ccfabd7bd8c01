import type { ContainerRuntime } from './container-runtime.ts';
import type { RuntimePod } from './own-pods.ts';

/** How long a container may take to end in order. */
const GRACE_SECONDS = 10;

/** Ends a pod's containers in order, then takes the whole pod out of the runtime. */
export async function removePod(runtime: ContainerRuntime, pod: RuntimePod, signal: AbortSignal): Promise<void> {
  const running = pod.containers.filter((container) => container.running);
  // One that does not end in order is ended with its sandbox, by force.
  await Promise.allSettled(running.map(async ({ id }) => runtime.stopContainer(id, GRACE_SECONDS, signal)));
  for (const { id } of pod.sandboxId === undefined ? pod.containers : []) await runtime.removeContainer(id, signal);
  if (pod.sandboxId === undefined) return;
  await runtime.stopSandbox(pod.sandboxId, signal);
  await runtime.removeSandbox(pod.sandboxId, signal);
}
