import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PodRestart } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import type { ContainerView, PodView } from '@fenestra/pods';
import type { Command } from 'commander';
import type { CommandContext } from '../../cli/program.ts';
import { NodeCommand, PRIVILEGED } from '../../cli/node-command.ts';
import { success } from '../../cli/result.ts';
import { findContainer, findPod, keyOf } from '../../pods/find-pod.ts';
import { type NodePods, type PodList, reportedPods, withNodePods } from '../../pods/node-pods.ts';
import { rootOption, type RootFlag } from '../input-option.ts';

interface RestartFlags extends RootFlag {
  readonly container?: string;
  readonly dryRun: boolean;
}

const POLL_MS = 250;
/** What the agent, the hooks and the start of a container may take besides the grace period. */
const PATIENCE_MS = 60_000;

/** `keadm pod restart POD`: the agent does it, so that hooks run and the grace period is respected. */
export function podRestartCommand({ environment, deliver }: CommandContext): Command {
  return new NodeCommand('restart', () => PRIVILEGED)
    .description('Restart the containers of a pod, or one of them, with its hooks and its grace period')
    .argument('<pod>', 'the pod: NAME or NAMESPACE/NAME')
    .option('-c, --container <name>', 'the container (default: all that restart)')
    .addOption(rootOption())
    .option('--dry-run', 'print the plan and change nothing', false)
    .action(async (name: string, { root, container, dryRun }: RestartFlags) => {
      const restarted = await withNodePods(environment, { root, action: 'restart' }, async (node) => {
        const pod = findPod(reportedPods(await node.list()), name);
        const containers = restartable(pod, container);
        requireAgent(node);
        if (!dryRun) await restart(node, pod, containers, environment.signal);
        return { pod: keyOf(pod), containers: containers.map((each) => each.name) };
      });
      const { pod, containers } = restarted;
      const verb = dryRun ? 'Would restart' : 'Restarted';
      deliver(success({ ...restarted, dryRun }, `${verb} ${containers.join(', ')} of the pod "${pod}"`));
    });
}

/** The containers to restart: each has an instance, and its pod goes on. */
function restartable(pod: PodView, name: string | undefined): readonly ContainerView[] {
  const phase = pod.definition?.metadata.deletionTimestamp === undefined ? pod.status : 'Terminating';
  if (pod.definition === undefined) throw refused(pod, 'the node has no definition of it');
  if (['Completed', 'Terminating'].includes(phase)) throw refused(pod, 'it ends or has ended');
  const wanted = name === undefined ? pod.containers : [findContainer(pod, name)];
  const found = wanted.filter(({ role, id }) => id !== undefined && (role === 'regular' || role === 'sidecar'));
  if (found.length === 0)
    throw refused(
      pod,
      name === undefined ? 'it has not started yet' : `"${name}" has not started yet, or is not restarted`,
    );
  return found;
}

function refused(pod: PodView, reason: string): OperatorError {
  return new OperatorError('NOT_SUPPORTED', `Cannot restart the pod "${keyOf(pod)}": ${reason}`, {
    hint: `Look at the pod with "keadm pod describe ${keyOf(pod)}".`,
  });
}

/** Without the agent nothing would start the containers again. */
function requireAgent({ agent }: NodePods): void {
  if (agent !== undefined) return;
  throw new OperatorError('AGENT_UNHEALTHY', 'Cannot restart containers: the agent of this node is not running', {
    hint: 'Start it with "keadm service start".',
  });
}

async function restart(
  node: NodePods,
  pod: PodView,
  containers: readonly ContainerView[],
  signal: AbortSignal,
): Promise<void> {
  const instances = containers.flatMap(({ id }) => id ?? []);
  const request: PodRestart = { podUid: pod.uid, instances };
  await node.files.createFolder(node.restartsFolder);
  const file = join(node.restartsFolder, `${randomUUID()}.json`);
  await node.files.replace(file, JSON.stringify(request));
  try {
    await untilReplaced(node, pod, containers, signal);
  } catch (cause) {
    // The agent may not have taken it: then it must not take effect later.
    await node.files.removeTree(file, node.restartsFolder, new AbortController().signal);
    throw cause;
  }
}

async function untilReplaced(
  node: NodePods,
  pod: PodView,
  containers: readonly ContainerView[],
  signal: AbortSignal,
): Promise<void> {
  const graceMs = (pod.definition?.spec.terminationGracePeriodSeconds ?? 0) * 1_000;
  const end = performance.now() + graceMs + PATIENCE_MS;
  while (performance.now() < end) {
    if (wereReplaced(pod, containers, await node.list())) return;
    await delay(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  throw new OperatorError('TIMED_OUT', `Cannot confirm that the pod "${keyOf(pod)}" was restarted`, {
    hint: `Look at the pod with "keadm pod describe ${keyOf(pod)}", and at the agent with "keadm logs".`,
  });
}

/** Whether other instances of the containers of a pod are running. What the runtime did not report proves nothing. */
export function wereReplaced(
  { uid }: Pick<PodView, 'uid'>,
  containers: readonly ContainerView[],
  { pods, runtimeProblem }: PodList,
): boolean {
  if (runtimeProblem !== undefined) return false;
  const present = pods.find((pod) => pod.uid === uid)?.containers ?? [];
  return containers.every(({ name, id }) => {
    const now = present.find((container) => container.name === name);
    return now?.state === 'running' && now.id !== id;
  });
}
