import { type ContainerRuntime, containerStateOf, diagnose } from '@fenestra/cri';
import { nodeOfSandbox } from '@fenestra/contracts/objects';
import { OperatorError, type StepContext } from '@fenestra/kernel';
import { GRACE_LIMIT_SECONDS, gracePeriodOf } from './grace-period.ts';
import { ownPods, type RuntimePod, type Sandbox } from './own-pods.ts';

/** Which pods stay. */
export interface SparedPods {
  readonly sandboxIds?: readonly string[];
  /** All but those that the agent of this node made. */
  readonly notMadeBy?: string;
}

/** How pods are removed. */
interface PodRemoval extends SparedPods {
  /** No pod gets longer than this to end, whatever it asks for. */
  readonly graceLimitSeconds?: number;
}

const LASTING = { lasting: true };

/** How many pods are removed at the same time. */
const LANES = 4;

/**
 * Removes every pod that a kubelet made from the runtime, except for what is spared. One that cannot be removed does not
 * keep the others; all failures are reported.
 */
export async function removeOwnPods(
  runtime: ContainerRuntime,
  { say, progress }: Pick<StepContext<unknown>, 'say' | 'progress'>,
  signal: AbortSignal,
  { graceLimitSeconds = GRACE_LIMIT_SECONDS, ...spared }: PodRemoval = {},
): Promise<void> {
  const sandboxes = await runtime.listSandboxes({}, signal);
  const all = ownPods(sandboxes, await runtime.listContainers({}, signal));
  const removed = new Set(sandboxes.filter((sandbox) => !isSpared(sandbox, spared)).map(({ id }) => id));
  const pods = all.filter(({ sandboxId }) =>
    sandboxId === undefined ? spared.notMadeBy === undefined : removed.has(sandboxId),
  );
  await stopInOrder(runtime, pods, { graceLimitSeconds, say }, signal);
  const failures: string[] = [];
  let done = 0;
  await inLanes(pods, async (pod) => {
    const problem = await problemOf(removePod(runtime, pod, signal));
    if (problem === undefined) say(`removed the pod ${pod.title}`);
    else failures.push(`${pod.title}: the container runtime ${problem}`);
    progress(++done, pods.length);
  });
  if (failures.length > 0) throw notAllRemoved(failures, pods.length);
}

function isSpared({ id, annotations }: Sandbox, { sandboxIds = [], notMadeBy }: SparedPods): boolean {
  return sandboxIds.includes(id) || (notMadeBy !== undefined && nodeOfSandbox(annotations) !== notMadeBy);
}

async function inLanes(pods: readonly RuntimePod[], work: (pod: RuntimePod) => Promise<void>): Promise<void> {
  const waiting = [...pods];
  const lane = async (): Promise<void> => {
    for (let pod = waiting.shift(); pod !== undefined; pod = waiting.shift()) await work(pod);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

async function problemOf(work: Promise<void>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return diagnose(error).problem;
  }
}

function notAllRemoved(failures: readonly string[], all: number): OperatorError {
  const list = failures.map((failure) => `\n  ${failure}`).join('');
  return new OperatorError('RUNTIME_UNUSABLE', `Cannot remove ${failures.length} of ${all} pods:${list}`, {
    hint: 'Read the log of the container runtime, fix the cause, then run the command again.',
  });
}

/** Ends all containers at the same time, each within the grace period of its pod. What does not end goes with its pod. */
async function stopInOrder(
  runtime: ContainerRuntime,
  pods: readonly RuntimePod[],
  { graceLimitSeconds, say }: Required<Pick<PodRemoval, 'graceLimitSeconds'>> & Pick<StepContext<unknown>, 'say'>,
  signal: AbortSignal,
): Promise<void> {
  const stopping = pods.flatMap(({ title, containers }) => {
    const running = containers.filter((container) => containerStateOf(container) === 'running');
    return running.length === 0 ? [] : [{ title, running, seconds: gracePeriodOf(running) }];
  });
  const longest = Math.min(graceLimitSeconds, Math.max(0, ...stopping.map(({ seconds }) => seconds)));
  if (stopping.length > 0) say(`stopping ${stopping.length} pod(s), within ${longest} s`);
  for (const { title, seconds } of stopping) {
    if (seconds > graceLimitSeconds)
      say(`The pod ${title} got ${graceLimitSeconds} s to end, and not the ${seconds} s that it asks for`, LASTING);
  }
  await Promise.allSettled(
    stopping.flatMap(({ running, seconds }) =>
      running.map(async ({ id }) => runtime.stopContainer(id, Math.min(seconds, graceLimitSeconds), signal)),
    ),
  );
}

/** Takes a pod out of the runtime, with whatever of it still runs. */
async function removePod(runtime: ContainerRuntime, pod: RuntimePod, signal: AbortSignal): Promise<void> {
  for (const { id } of pod.sandboxId === undefined ? pod.containers : []) await runtime.removeContainer(id, signal);
  if (pod.sandboxId === undefined) return;
  await runtime.stopSandbox(pod.sandboxId, signal);
  await runtime.removeSandbox(pod.sandboxId, signal);
}
