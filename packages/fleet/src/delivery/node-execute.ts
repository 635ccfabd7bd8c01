import type { CommandEffect } from '../far-end/command-effect.ts';
import type { FarEndJob } from '../far-end/messages.ts';
import type { BatchNode } from '../inventory/batch.ts';
import type { NodeSurvey, WorkContext } from '../run/node-worker.ts';
import type { Places } from './far-system.ts';
import { type Followed, followToEnd, type JobEnd } from './follow.ts';
import { failureOfJob, STOP_SECONDS, undoJob, workFolderOf, workJob } from './jobs.ts';
import { redact } from '../far-end/redact.ts';
import { readWorker } from './node-status.ts';
import { stateOf } from './preview-node.ts';
import { limited, overConnection, placesOn, type DeliveryResources } from './delivery-resources.ts';
import { lost } from './failures.ts';
import { LOOK_SECONDS, surveyPart } from './survey-node.ts';
import type { CommandEnd } from './remote-command.ts';
import { undoWords } from './wishes.ts';

/** The far end sees to the limit by itself; this is for one that does not answer. */
const SLACK_SECONDS = 120;

/** Runs the node's command there, or finds it running, and follows it until it ends. */
export async function executePart(
  resources: DeliveryResources,
  node: BatchNode,
  survey: NodeSurvey,
  context: WorkContext,
): Promise<void> {
  const places = await placesOn(resources, node, survey, context);
  const work = { node, survey, context, places, jobFolder: workFolderOf(places, context) };
  const effect = await resources.effect(node);
  await doJob(resources, work, await workJob({ node, effect }, places, context));
}

/** Stops the command and undoes it, unless the node is as it was before: two at once would conflict. */
export async function rollBackPart(
  resources: DeliveryResources,
  node: BatchNode,
  survey: NodeSurvey,
  context: WorkContext,
): Promise<void> {
  const places = await placesOn(resources, node, survey, context);
  const undo = { node, survey, context, places, jobFolder: places.undoFolder };
  // Earlier tries at the command have ended.
  const work = { ...undo, jobFolder: workFolderOf(places, context) };
  await ask(resources, work, 'stop', 'stopping the command');
  const effect = await resources.effect(node);
  const words = undoWords({ node, effect }, survey, places);
  if (!(await wasBegun(resources, undo))) {
    const now =
      effect.node === 'worker' ? await workerNow(resources, undo) : await surveyPart(resources, node, context);
    if (isAsBefore(effect, survey, now)) return context.say('already as it was before');
  }
  await doJob(resources, undo, undoJob(node, context.runId, places, words));
}

/** A way back that was begun is gone until it ends: half-way there a node may look as it did before. */
async function wasBegun(resources: DeliveryResources, on: JobOnNode): Promise<boolean> {
  const { output } = await ask(resources, on, 'state', 'reading the rollback state');
  return !/^absent\s*$/m.test(output);
}

/** keadm undoes by itself what it could not finish, and going back again would be one step too many. */
function isAsBefore({ undo }: CommandEffect, before: NodeState, now: NodeState): boolean {
  if (undo === 'rollback') return now.installedVersion === before.installedVersion;
  return undo === 'reset' && now.state === 'absent';
}

type NodeState = Pick<NodeSurvey, 'state' | 'installedVersion'>;

async function workerNow(
  resources: DeliveryResources,
  { node, survey, context, places }: JobOnNode,
): Promise<NodeState> {
  const part = { node, context, activity: 'asking how it is', seconds: LOOK_SECONDS };
  return overConnection(resources, part, async (task) =>
    stateOf(await readWorker(resources.systems[survey.os], task, places.program)),
  );
}

interface JobOnNode {
  readonly node: BatchNode;
  readonly survey: NodeSurvey;
  readonly context: WorkContext;
  readonly places: Places;
  readonly jobFolder: string;
}

async function doJob(resources: DeliveryResources, on: JobOnNode, job: FarEndJob): Promise<void> {
  const { node } = on;
  const end = await follow(resources, on, job);
  const { shown, secrets, limits } = job;
  const failure = failureOfJob(end, { node: node.name, shown, secrets, limitSeconds: limits.commandSeconds });
  if (failure !== undefined) throw failure;
  // Anyone who has nodes only asked something wants to read what they answered.
  if ((await resources.options.effectOf(shown)).goal !== undefined) return;
  for (const line of redact(end.result, secrets).trim().split('\n')) on.context.log(line);
}

async function follow(resources: DeliveryResources, on: JobOnNode, job: FarEndJob): Promise<JobEnd> {
  const { node, survey, context, places, jobFolder } = on;
  const followed: Followed = { job, program: places.program, jobFolder, begun: false, offset: 0 };
  const seconds = job.limits.commandSeconds + STOP_SECONDS + SLACK_SECONDS;
  const activity = `running "keadm ${job.shown.join(' ')}"`;
  const work = { node: node.name, activity, seconds };
  return limited(
    {
      ...work,
      run: async (signal) =>
        followToEnd(
          {
            system: resources.systems[survey.os],
            node: node.name,
            followed,
            overConnection: async (part) =>
              overConnection(resources, { node, context: { ...context, signal }, activity, seconds }, part),
            say: context.say,
          },
          signal,
        ),
    },
    context.signal,
  );
}

async function ask(
  resources: DeliveryResources,
  { node, survey, context, places, jobFolder }: JobOnNode,
  verb: 'stop' | 'state',
  activity: string,
): Promise<CommandEnd> {
  const part = { node, context, activity, seconds: STOP_SECONDS + LOOK_SECONDS };
  const end = await overConnection(resources, part, async (task) =>
    resources.systems[survey.os].call(task, places.program, { words: ['far-end', verb, jobFolder], activity }),
  );
  if (end.exitCode !== 0) throw lost(node.name, `it failed at ${activity} (${end.errors || end.exitCode})`);
  return end;
}
