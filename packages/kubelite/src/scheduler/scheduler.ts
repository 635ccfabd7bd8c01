import type { Logger } from '@fenestra/platform';
import { tellFailure } from '../collector/repeat.ts';
import { conditionOf, recordEvent, withCondition } from '../kinds/conditions.ts';
import { bindPod } from '../kinds/pod/subresources.ts';
import type { User } from '../objects/gatekeeper.ts';
import { objectAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ObjectService } from '../objects/object-service.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { type ClusterView, watchCluster } from './cluster-view.ts';
import { whyNot } from './node-fit.ts';

/** What the scheduler works on. The kinds are those the API serves. */
interface SchedulerOptions {
  readonly objects: ObjectService;
  readonly kinds: { readonly pod: ResourceKind; readonly node: ResourceKind; readonly event: ResourceKind };
  readonly log: Logger;
  now(): Date;
}

const COMPONENT = 'default-scheduler';
const SCHEDULER: User = { name: 'system:kube-scheduler', groups: ['system:masters'] };

/** Gives every pending pod a node as soon as there is one for it, and says why while there is none. */
export function startScheduler(options: SchedulerOptions, signal: AbortSignal): void {
  let state: 'again' | 'asleep' | 'awake' = 'asleep';
  const wake = (): void => {
    if (state === 'asleep') setImmediate(() => void work());
    state = 'again';
  };
  const work = async (): Promise<void> => {
    while (state === 'again' && !signal.aborted) {
      state = 'awake';
      await placeAll(view, options, signal);
    }
    state = 'asleep';
  };
  const view = watchCluster(options.objects, options.kinds, wake, signal);
}

async function placeAll(view: ClusterView, options: SchedulerOptions, signal: AbortSignal): Promise<void> {
  const load = view.load();
  for (const pod of view.pending()) {
    if (signal.aborted) return;
    await place(pod, view.nodes(), load, options).catch((cause: unknown) => {
      const { name, namespace = '' } = pod.metadata;
      tellFailure(cause, 'Cannot place a pod', { namespace, pod: name }, options.log, signal);
    });
  }
}

async function place(
  pod: KubeObject,
  nodes: readonly KubeObject[],
  load: Map<string, number>,
  options: SchedulerOptions,
): Promise<void> {
  const choice = chooseNode(pod, nodes, load);
  if ('message' in choice) return explain(pod, choice.message, options);
  const { objects, kinds } = options;
  const now = options.now();
  const { name, namespace = '' } = pod.metadata;
  const assignment = { namespace, pod: name, node: choice.node, now };
  await bindPod(kinds.pod, objects, assignment, { user: SCHEDULER, subresource: 'binding', fieldManager: COMPONENT });
  load.set(choice.node, (load.get(choice.node) ?? 0) + 1);
  const message = `Successfully assigned ${namespace}/${name} to ${choice.node}`;
  await recordEvent(kinds.event, objects, {
    about: pod,
    type: 'Normal',
    reason: 'Scheduled',
    message,
    component: COMPONENT,
    now,
  });
}

/** Shows why a pod waits, unless it has been shown already. */
async function explain(pod: KubeObject, message: string, options: SchedulerOptions): Promise<void> {
  if (conditionOf(objectAt(pod, 'status'), 'PodScheduled')?.['message'] === message) return;
  const { objects, kinds } = options;
  const now = options.now();
  const { name, namespace = '' } = pod.metadata;
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message } as const;
  await objects.update(
    kinds.pod,
    { namespace, name },
    (current) => ({ ...current, status: withCondition(objectAt(current, 'status'), condition, now) }),
    { user: SCHEDULER, subresource: 'status', fieldManager: COMPONENT },
  );
  const about = { about: pod, reason: 'FailedScheduling', message, component: COMPONENT, now };
  await recordEvent(kinds.event, objects, { ...about, type: 'Warning' });
}

/** Where a pod goes, or why it cannot go anywhere. */
type Choice = { readonly node: string } | { readonly message: string };

/** Picks, of the nodes a pod can run on, the one with the fewest pods; the name decides between equals. */
export function chooseNode(pod: KubeObject, nodes: readonly KubeObject[], load: ReadonlyMap<string, number>): Choice {
  const reasons = new Map<string, number>();
  const fitting: string[] = [];
  for (const node of nodes) {
    const reason = whyNot(pod, node);
    if (reason === undefined) fitting.push(node.metadata.name);
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const [best] = fitting.toSorted((a, b) => (load.get(a) ?? 0) - (load.get(b) ?? 0) || a.localeCompare(b));
  return best === undefined ? { message: refusal(nodes.length, reasons) } : { node: best };
}

function refusal(count: number, reasons: ReadonlyMap<string, number>): string {
  if (count === 0) return 'no nodes available to schedule pods';
  const list = [...reasons].map(([reason, times]) => `${times} ${reason}`).toSorted();
  return `0/${count} nodes are available: ${list.join(', ')}.`;
}
