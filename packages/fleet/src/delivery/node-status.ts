import { versionTag } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { jsonIn } from '../far-end/messages.ts';
import type { NodeSurvey } from '../run/node-worker.ts';
import { type FarSystem, type Task, VERSION_AFTER } from './far-system.ts';

/** Asks the node's own keadm whether all is well after a command that leaves an agent running. */
export async function proveNode(system: FarSystem, task: Task, program: string, survey: NodeSurvey): Promise<void> {
  const { node, effect } = task;
  if (!effect.leavesAgent) return;
  const problem = await PROBLEMS[effect.node]({ system, task, program, survey });
  if (problem === undefined) return;
  const status = statusWords(effect.node).join(' ');
  throw new OperatorError('AGENT_UNHEALTHY', `The node on "${node.name}" does not work: ${problem}`, {
    hint: `Run "keadm ${status}" and "keadm logs" on that machine.`,
  });
}

interface Proof {
  readonly system: FarSystem;
  readonly task: Task;
  readonly program: string;
  readonly survey: NodeSurvey;
}

const PROBLEMS = { edge: edgeProblem, worker: workerProblem };

const EdgeStatus = z.object({
  healthy: z.boolean(),
  services: z.object({ agent: z.object({ state: z.string() }) }),
  agent: z.optional(
    z.object({ connected: z.optional(z.boolean()), problem: z.optional(z.object({ message: z.string() })) }),
  ),
  node: z.object({ version: z.optional(z.string()) }),
});

async function edgeProblem({ system, task, program }: Proof): Promise<string | undefined> {
  const { goal } = task.effect;
  const { answer, errors } = await askStatus(system, task, program);
  const { data: status } = EdgeStatus.safeParse(answer);
  if (status === undefined) return noStatus(errors);
  const { healthy, services, agent, node } = status;
  const wanted = goal?.kind === 'upgraded' ? goal.version : undefined;
  if (wanted !== undefined && versionTag(node.version ?? '') !== versionTag(wanted)) {
    return `it has ${node.version ?? 'no version'} and not ${versionTag(wanted)}`;
  }
  if (healthy) return undefined;
  if (services.agent.state !== 'running') return `its agent is ${services.agent.state}`;
  if (agent?.connected !== true)
    return `it is not connected${agent?.problem === undefined ? '' : `: ${agent.problem.message}`}`;
  return 'it is not registered in the cloud, or an operation there is unfinished';
}

const WorkerStatus = z.object({
  working: z.boolean(),
  waitsForNetwork: z.boolean(),
  joined: z.boolean(),
  prepared: z.boolean(),
  service: z.object({ state: z.string() }),
  version: z.optional(z.string()),
  cluster: z.optional(z.object({ unknown: z.optional(z.string()), node: z.optional(z.unknown()) })),
});

/** What the machine's keadm says about its worker. */
export type WorkerStatus = z.infer<typeof WorkerStatus>;

/** A node that has just joined may wait for its network plugin, which often comes from the cluster. */
async function workerProblem({ system, task, program, survey }: Proof): Promise<string | undefined> {
  const { answer, errors } = await askStatus(system, task, program);
  const { data: status } = WorkerStatus.safeParse(answer);
  if (status === undefined) return noStatus(errors);
  const { version, working, waitsForNetwork, service, cluster } = status;
  const wanted = survey.notes[VERSION_AFTER];
  if (wanted !== undefined && versionTag(version ?? '') !== wanted) {
    return `it has ${version ?? 'no version'} and not ${wanted}`;
  }
  if (working || (waitsForNetwork && survey.state === 'absent')) return undefined;
  if (service.state !== 'running') return `its kubelet is ${service.state}`;
  if (cluster?.unknown !== undefined) return `its cluster cannot be asked: ${cluster.unknown}`;
  return cluster?.node === undefined ? 'the cluster does not have this node' : 'its node is not Ready';
}

/** The status of the worker on the machine; rejects with AGENT_UNHEALTHY where it cannot be read. */
export async function readWorker(system: FarSystem, task: Task, program: string): Promise<WorkerStatus> {
  const { answer, errors } = await askStatus(system, task, program);
  const { data: status } = WorkerStatus.safeParse(answer);
  if (status !== undefined) return status;
  throw new OperatorError('AGENT_UNHEALTHY', `Cannot read the worker on "${task.node.name}": ${noStatus(errors)}`, {
    hint: 'Run "keadm kube status" on that machine.',
  });
}

async function askStatus(
  system: FarSystem,
  task: Task,
  program: string,
): Promise<{ readonly answer: unknown; readonly errors: string }> {
  const { root, node } = task.effect;
  const words = [...statusWords(node), ...(root === undefined ? [] : ['--root', root]), '--output', 'json'];
  const { output, errors } = await system.call(task, program, { words, activity: 'asking how it is' });
  return { answer: jsonIn(output), errors };
}

function statusWords(node: Task['effect']['node']): readonly string[] {
  return node === 'worker' ? ['kube', 'status'] : ['status'];
}

function noStatus(errors: string): string {
  return `it does not report its status${errors === '' ? '' : `: ${errors}`}`;
}
