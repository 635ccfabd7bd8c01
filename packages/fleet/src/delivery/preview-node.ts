import { versionTag } from '@fenestra/contracts';
import * as z from 'zod/mini';
import { commandName } from '../far-end/command-words.ts';
import { type FarEndJob, jsonIn } from '../far-end/messages.ts';
import type { BatchNode } from '../inventory/batch.ts';
import type { NodeSurvey, WorkContext } from '../run/node-worker.ts';
import { lost } from './failures.ts';
import { type Task, VERSION_AFTER } from './far-system.ts';
import { failureOfJob, workJob } from './jobs.ts';
import { readWorker, type WorkerStatus } from './node-status.ts';
import { type CommandEnd, wasKilled } from './remote-command.ts';
import { LOOK_SECONDS } from './survey-node.ts';
import { NO_VERSION, PREPARED } from './wishes.ts';
import { overConnection, placesOn, type DeliveryResources } from './delivery-resources.ts';

/** What a dry run says: its plan, and the version that the node has after it. */
const DryRun = z.object({
  plan: z.array(z.unknown()),
  to: z.optional(z.string()),
  version: z.optional(z.string()),
});
type DryRun = z.infer<typeof DryRun>;

/** Completes the survey by what keadm on the machine says about its worker and about the command, which only it can judge. */
export async function previewPart(
  resources: DeliveryResources,
  node: BatchNode,
  survey: NodeSurvey,
  context: WorkContext,
): Promise<NodeSurvey> {
  const places = await placesOn(resources, node, survey, context);
  const system = resources.systems[survey.os];
  const part = { node, context, activity: 'asking what the command would change', seconds: LOOK_SECONDS };
  return overConnection(resources, part, async (task) => {
    const worker = await readWorker(system, task, places.program);
    const job = await workJob(task, places, context);
    const call = { words: ['far-end', 'preview'], activity: part.activity, input: JSON.stringify(job) };
    const end = await system.call(task, places.program, call);
    const dryRun = dryRunIn(end, job, node);
    return { ...survey, ...stateOf(worker), ...verdictOf(dryRun, task, worker, survey) };
  });
}

function dryRunIn(end: CommandEnd, { shown, secrets, limits }: FarEndJob, { name }: BatchNode): DryRun {
  if (wasKilled(end)) throw lost(name, 'the dry run was killed');
  const exit = { exitCode: end.exitCode, endedAt: '', stopped: null };
  const job = { node: name, shown, secrets, limitSeconds: limits.commandSeconds };
  const failure = failureOfJob({ type: 'ended', exit, result: end.output }, job);
  if (failure !== undefined) throw failure;
  return DryRun.parse(jsonIn(end.output));
}

/** Where the worker stands. */
export function stateOf({ joined, service, version }: WorkerStatus): Pick<NodeSurvey, 'state' | 'installedVersion'> {
  const state = service.state === 'running' ? 'running' : 'stopped';
  return { state: joined ? state : 'absent', installedVersion: version };
}

function verdictOf(
  { plan, to, version }: DryRun,
  { node, effect }: Task,
  { prepared }: WorkerStatus,
  { notes }: NodeSurvey,
): Pick<NodeSurvey, 'action' | 'summary' | 'notes'> {
  const after = effect.undo === 'rejoin' ? NO_VERSION : (to ?? version);
  const command = `keadm ${node.shownCommand.join(' ')}`;
  return {
    action: plan.length === 0 ? 'nothing' : 'change',
    summary: plan.length === 0 ? `nothing to change by "${commandName(node.shownCommand)}"` : command,
    notes: {
      ...notes,
      [PREPARED]: String(prepared),
      ...(after === undefined ? {} : { [VERSION_AFTER]: versionTag(after) }),
    },
  };
}
