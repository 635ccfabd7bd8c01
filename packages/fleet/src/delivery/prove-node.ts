import { jsonIn } from '../far-end/messages.ts';
import { versionTag } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { flagValue } from '../far-end/command-words.ts';
import type { BatchNode } from '../inventory/batch.ts';
import type { FarSystem, Task } from './far-system.ts';
import { commandKind, rootOf } from './wishes.ts';

const Status = z.object({
  healthy: z.boolean(),
  services: z.object({ agent: z.object({ state: z.string() }) }),
  agent: z.optional(
    z.object({ connected: z.optional(z.boolean()), problem: z.optional(z.object({ message: z.string() })) }),
  ),
  node: z.object({ version: z.optional(z.string()) }),
});
type Status = z.infer<typeof Status>;

/** Asks the node's own keadm whether all is well after a command that leaves an agent running. */
export async function proveNode(system: FarSystem, task: Task, program: string): Promise<void> {
  const { node } = task;
  if (!leavesAgent(node)) return;
  const root = rootOf(node.shownCommand);
  const words = ['status', ...(root === undefined ? [] : ['--root', root]), '--output', 'json'];
  const { output, errors } = await system.call(task, program, { words, activity: 'asking how it is' });
  const problem = problemOf(Status.safeParse(jsonIn(output)).data, node, errors);
  if (problem === undefined) return;
  throw new OperatorError('AGENT_UNHEALTHY', `The node on "${node.name}" does not work: ${problem}`, {
    hint: 'Run "keadm status" and "keadm logs" on that machine.',
  });
}

function leavesAgent({ shownCommand: command }: BatchNode): boolean {
  return ['join', 'upgrade', 'config'].includes(commandKind(command));
}

function problemOf(
  status: Status | undefined,
  { shownCommand: command }: BatchNode,
  errors: string,
): string | undefined {
  if (status === undefined) return `it does not say how it is${errors === '' ? '' : `: ${errors}`}`;
  const { healthy, services, agent, node } = status;
  const wanted = commandKind(command) === 'upgrade' ? flagValue(command, ['--version', '--toVersion']) : undefined;
  if (wanted !== undefined && versionTag(node.version ?? '') !== versionTag(wanted)) {
    return `it has ${node.version ?? 'no version'} and not ${versionTag(wanted)}`;
  }
  if (healthy) return undefined;
  if (services.agent.state !== 'running') return `its agent is ${services.agent.state}`;
  if (agent?.connected !== true)
    return `it is not connected${agent?.problem === undefined ? '' : `: ${agent.problem.message}`}`;
  return 'the cloud does not have it, or work there is left open';
}
