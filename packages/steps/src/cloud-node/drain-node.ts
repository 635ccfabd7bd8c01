import { defineStep, OperatorError, type StepContext, type StepHandler } from '@fenestra/kernel';
import { pause } from '@fenestra/platform';
import * as z from 'zod/mini';
import type { StepPorts } from '../ports.ts';
import { withNodeCloud, type CloudPod, type NodeCloud } from './node-cloud.ts';

const POLL_MS = 1_000;

const DrainNode = z.object({
  kind: z.literal('drain-node'),
  kubeconfig: z.string(),
  node: z.string(),
  limitSeconds: z.number(),
  /** Whether the node can still confirm that a pod has ended. */
  confirms: z.boolean(),
});
export type DrainNode = z.infer<typeof DrainNode>;

/** Keeps new pods off a node and has those on it move, as far as their disruption budgets allow. */
export const drainNode: StepHandler<StepPorts> = defineStep({
  kind: 'drain-node',
  step: DrainNode,
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
    try {
      await withNodeCloud(ports, kubeconfig, async (cloud) => cloud.setSchedulable(node, true, signal));
    } catch (error) {
      // The machine must not stay half-way only because its cloud cannot be reached.
      if (!(error instanceof OperatorError)) throw error;
      say(`${error.message}; the node stays cordoned until somebody runs "kubectl uncordon ${node}"`, {
        lasting: true,
      });
    }
  },
});

async function drain(
  step: DrainNode,
  cloud: NodeCloud,
  { say }: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + step.limitSeconds * 1000;
  await cloud.setSchedulable(step.node, false, signal);
  let said = '';
  for (;;) {
    const waiting = await evictAll(step, cloud, signal);
    if (waiting.length === 0) return;
    if (performance.now() > deadline) throw tooLate(step, waiting);
    const note = `waiting for ${waiting.join(', ')}`;
    if (note !== said) say((said = note));
    await pause(POLL_MS, `draining the node "${step.node}"`, signal);
  }
}

/** Asks for the end of every pod and returns those that have not ended, each with what it waits for. */
async function evictAll({ node, confirms }: DrainNode, cloud: NodeCloud, signal: AbortSignal): Promise<string[]> {
  const waiting: string[] = [];
  for (const pod of await cloud.movablePods(node, signal)) {
    const blocked = !pod.ending && (await cloud.evict(pod, signal)) === 'blocked';
    if (blocked) waiting.push(`${nameOf(pod)} (held by its disruption budget)`);
    else if (confirms) waiting.push(nameOf(pod));
  }
  return waiting;
}

function nameOf({ namespace, name }: CloudPod): string {
  return `${namespace}/${name}`;
}

function tooLate({ node, limitSeconds }: DrainNode, waiting: readonly string[]): OperatorError {
  return new OperatorError(
    'TIMED_OUT',
    `Cannot drain the node "${node}" within ${limitSeconds} s: ${waiting.join(', ')}`,
    {
      hint: 'Give the pods a place to go to, allow more time with "--drain-limit", or leave them to their fate with "--no-drain".',
    },
  );
}
