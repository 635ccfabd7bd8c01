import { OperatorError, type StepContext } from '@fenestra/kernel';
import { nextPause, pause } from '@fenestra/platform';
import * as z from 'zod/mini';
import { withWorkerCluster, type ClusterNode, type WorkerCluster, type StepPorts } from '@fenestra/session';
import { defineStep } from '../define-step.ts';

/** The kubelet sets it when it has written its node; anyone who marks the node earlier may be overwritten. */
const WRITTEN_BY_KUBELET = 'kubernetes.io/hostname';
const LIMIT_MS = 60_000;
const LONGEST_PAUSE_MS = 500;
const WORTH_ANOTHER_TRY: readonly string[] = ['API_CONFLICT', 'API_FAILED', 'API_UNREACHABLE'];

const Marks = z.record(z.string(), z.nullable(z.string()));

const MarkNode = z.object({
  /** The kubeconfig file to do it with. */
  kubeconfig: z.string(),
  node: z.string(),
  /** `null` takes one away. */
  labels: Marks,
  annotations: Marks,
});
type MarkNode = z.infer<typeof MarkNode>;

/** Sets labels and annotations of a node that its kubelet has registered. */
export const markNode = defineStep({
  kind: 'mark-node',
  data: MarkNode,
  before: z.object({ labels: Marks, annotations: Marks }),
  describe: ({ node, labels, annotations }) =>
    `Mark the node "${node}" with ${[...Object.keys(labels), ...Object.keys(annotations)].join(', ')}`,
  prepare: async (step, { ports }, signal) =>
    withWorkerCluster(ports, { kubeconfigFile: step.kubeconfig }, async (cluster) => {
      const node = await cluster.node(step.node, signal);
      return {
        labels: valuesOf(step.labels, node?.labels),
        annotations: valuesOf(step.annotations, node?.annotations),
      };
    }),
  apply: async (step, _before, { ports }, signal) =>
    withWorkerCluster(ports, { kubeconfigFile: step.kubeconfig }, (cluster) => mark(step, cluster, signal)),
  revert: async (step, before, context, signal) => unmark(step, before, context, signal),
});

/** What those of the node's marks were that a step is about to change. */
function valuesOf(
  wanted: MarkNode['labels'],
  present: Readonly<Record<string, string>> | undefined,
): MarkNode['labels'] {
  return Object.fromEntries(Object.keys(wanted).map((name) => [name, present?.[name] ?? null]));
}

async function mark(step: MarkNode, cluster: WorkerCluster, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  for (;;) {
    const failure = await tryToMark(step, cluster, signal);
    if (failure === undefined) return;
    const waited = performance.now() - began;
    if (waited > LIMIT_MS) throw failure;
    await pause(nextPause(waited, LONGEST_PAUSE_MS), `marking the node "${step.node}"`, signal);
  }
}

async function tryToMark(step: MarkNode, cluster: WorkerCluster, signal: AbortSignal): Promise<unknown> {
  try {
    const node = await cluster.node(step.node, signal);
    if (node?.labels[WRITTEN_BY_KUBELET] === undefined) return notWritten(step.node, node);
    await cluster.mark(step.node, { labels: step.labels, annotations: step.annotations }, signal);
    return undefined;
  } catch (error) {
    if (error instanceof OperatorError && WORTH_ANOTHER_TRY.includes(error.code)) return error;
    throw error;
  }
}

async function unmark(
  { kubeconfig, node }: MarkNode,
  before: Pick<MarkNode, 'labels' | 'annotations'>,
  { ports, say }: StepContext<StepPorts>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await withWorkerCluster(ports, { kubeconfigFile: kubeconfig }, (cluster) => cluster.mark(node, before, signal));
  } catch (error) {
    // The machine must not stay half-way only because its cluster cannot be reached, or has forgotten the node.
    if (!(error instanceof OperatorError) || signal.aborted) throw error;
    if (error.code !== 'API_NOT_FOUND') say(`${error.message}; the node keeps its marks`, { lasting: true });
  }
}

function notWritten(name: string, node: ClusterNode | undefined): OperatorError {
  const missing =
    node === undefined ? 'the cluster does not have this node' : 'its kubelet has not reported its status yet';
  return new OperatorError('KUBELET_UNHEALTHY', `Cannot mark the node "${name}": ${missing}`, {
    hint: "Look at the kubelet's log, remove the cause, then run the command again.",
  });
}
