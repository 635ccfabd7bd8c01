import { OperatorError, type StepContext } from '@fenestra/kernel';
import { pause } from '@fenestra/platform';
import * as z from 'zod/mini';
import { type StepPorts, withNodeCloud, type CloudPod, type NodeCloud } from '@fenestra/session';
import { defineStep } from '../define-step.ts';

const POLL_MS = 1_000;
/** As often as `kubectl drain` asks again for what a disruption budget forbids. */
const RETRY_MS = 5_000;
const NOTE_MS = 15_000;
const NAMED_PODS = 3;

const DrainNode = z.object({
  kubeconfig: z.string(),
  node: z.string(),
  limitSeconds: z.number(),
  /** Whether the node can still confirm that a pod has ended. */
  confirms: z.boolean(),
});
type DrainNode = z.infer<typeof DrainNode>;

/** Keeps new pods off a node and has those on it move, as far as their disruption budgets allow. */
export const drainNode = defineStep({
  kind: 'drain-node',
  data: DrainNode,
  before: z.object({ schedulable: z.boolean() }),
  describe: ({ node, limitSeconds }) => `Drain the node "${node}", within ${limitSeconds} s`,
  prepare: async ({ kubeconfig, node }, { ports }, signal) =>
    withNodeCloud(ports, kubeconfig, async (cloud) => ({
      schedulable: (await cloud.find(node, signal))?.schedulable ?? false,
    })),
  apply: async (step, _before, context, signal) =>
    withNodeCloud(context.ports, step.kubeconfig, async (cloud) => drain(step, cloud, context, signal)),
  async revert({ kubeconfig, node }, { schedulable }, { ports, say }, signal) {
    if (!schedulable) return;
    await uncordon({ kubeconfig, node }, { ports, say }, signal);
  },
});

/** A pod that was on the node when it was cordoned. Pods that come later tolerate the cordon, so they are left alone. */
interface LeavingPod extends CloudPod {
  /** Whether its end was asked for, and granted. */
  readonly evicted: boolean;
}

async function drain(
  { node, limitSeconds, confirms }: DrainNode,
  cloud: NodeCloud,
  { say }: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + limitSeconds * 1000;
  await cloud.setSchedulable(node, false, signal);
  let pods: readonly LeavingPod[] = (await cloud.movablePods(node, signal)).map((pod) => ({
    ...pod,
    evicted: pod.ending,
  }));
  let [retryAt, noteAt] = [0, 0];
  for (;;) {
    if (performance.now() >= retryAt) {
      pods = await evictAll(pods, cloud, signal);
      retryAt = performance.now() + RETRY_MS;
    }
    pods = await stillThere(
      pods.filter(({ evicted }) => confirms || !evicted),
      async () => cloud.movablePods(node, signal),
    );
    if (pods.length === 0) return;
    if (performance.now() > deadline) throw tooLate(node, limitSeconds, pods.map(nameOf));
    if (performance.now() >= noteAt) {
      say(`waiting for ${summaryOf(pods.map(nameOf))}`);
      noteAt = performance.now() + NOTE_MS;
    }
    await pause(POLL_MS, `draining the node "${node}"`, signal);
  }
}

/** Asks for the end of each pod for which that was not granted yet. */
async function evictAll(
  pods: readonly LeavingPod[],
  cloud: NodeCloud,
  signal: AbortSignal,
): Promise<readonly LeavingPod[]> {
  const asked: LeavingPod[] = [];
  for (const pod of pods)
    asked.push({ ...pod, evicted: pod.evicted || (await cloud.evict(pod, signal)) === 'accepted' });
  return asked;
}

async function stillThere(
  pods: readonly LeavingPod[],
  list: () => Promise<readonly CloudPod[]>,
): Promise<readonly LeavingPod[]> {
  if (pods.length === 0) return pods;
  const uids = new Set((await list()).map(({ uid }) => uid));
  return pods.filter(({ uid }) => uids.has(uid));
}

function nameOf({ namespace, name, evicted }: LeavingPod): string {
  return `${namespace}/${name}${evicted ? '' : ' (held by its disruption budget)'}`;
}

function summaryOf(waiting: readonly string[]): string {
  const more = waiting.length - NAMED_PODS;
  return [...waiting.slice(0, NAMED_PODS), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function tooLate(node: string, limitSeconds: number, waiting: readonly string[]): OperatorError {
  return new OperatorError(
    'TIMED_OUT',
    `Cannot drain the node "${node}" within ${limitSeconds} s: ${waiting.join(', ')}`,
    {
      hint: 'Give the pods a place to go to, allow more time with "--drain-limit", or leave them where they are with "--no-drain".',
    },
  );
}

/** Lets new pods come to a node again. That its work is done does not depend on it, so a failure is only reported. */
export const uncordonNode = defineStep({
  kind: 'uncordon-node',
  pointOfNoReturn: true,
  data: z.object({
    kubeconfig: z.string(),
    node: z.string(),
  }),
  describe: ({ node }) => `Uncordon the node "${node}"`,
  async apply({ kubeconfig, node }, _before, { ports, say }, signal) {
    await uncordon({ kubeconfig, node }, { ports, say }, signal);
  },
});

/** Deletes a node in its cloud or cluster. One that cannot be reached any more holds nothing up: it keeps the node. */
export const deleteNode = defineStep({
  kind: 'delete-node',
  pointOfNoReturn: true,
  data: z.object({
    kubeconfig: z.string(),
    node: z.string(),
  }),
  describe: ({ node }) => `Delete the Node object "${node}"`,
  async apply({ kubeconfig, node }, _before, { ports, say }, signal) {
    try {
      await withNodeCloud(ports, kubeconfig, async (cloud) => cloud.remove(node, signal));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      say(`${error.message}; the Node object stays until you run "kubectl delete node ${node}"`);
    }
  },
});

/** Neither the end of the work nor the way back may depend on a cloud that cannot be reached, so a failure is only said. */
async function uncordon(
  { kubeconfig, node }: Pick<DrainNode, 'kubeconfig' | 'node'>,
  { ports, say }: Pick<StepContext<StepPorts>, 'ports' | 'say'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await withNodeCloud(ports, kubeconfig, async (cloud) => cloud.setSchedulable(node, true, signal));
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    say(`${error.message}; the node stays cordoned until you run "kubectl uncordon ${node}"`, { lasting: true });
  }
}
