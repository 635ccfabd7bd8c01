import type { FarEndJob } from '@fenestra/contracts';
import type { BatchNode } from '../inventory/batch-node.ts';
import type { NodeSurvey, WorkContext } from '../run/node-worker.ts';
import type { Places } from './far-system.ts';
import { followToEnd, type JobEnd } from './follow-to-end.ts';
import type { Followed } from './follow.ts';
import { STOP_SECONDS, undoJob, workJob } from './job-of.ts';
import { failureOfJob } from './judge-end.ts';
import { limited } from './limited.ts';
import { LOOK_SECONDS } from './node-survey.ts';
import { surveyPart } from './node-survey.ts';
import { undoWords } from './undo-words.ts';
import { overConnection, placesOn, type Workshop } from './workshop.ts';

/** The far end sees to the limit by itself; this is for one that does not answer. */
const SLACK_SECONDS = 120;

/** Runs the node's command there, or finds it running, and follows it to its end. */
export async function executePart(
  workshop: Workshop,
  node: BatchNode,
  survey: NodeSurvey,
  context: WorkContext,
): Promise<void> {
  const places = await placesOn(workshop, node, survey, context);
  await doJob(
    workshop,
    { node, survey, context, places, jobFolder: places.workFolder },
    await workJob(node, context.runId, places, context.signal),
  );
}

/** Undoes the command, unless the node is already as it was before. */
export async function rollBackPart(
  workshop: Workshop,
  node: BatchNode,
  survey: NodeSurvey,
  context: WorkContext,
): Promise<void> {
  const places = await placesOn(workshop, node, survey, context);
  const words = undoWords(node, survey, places);
  const now = await surveyPart(workshop, node, context);
  if (isAsBefore(words, survey, now)) return context.say('already as it was before');
  await doJob(
    workshop,
    { node, survey, context, places, jobFolder: places.undoFolder },
    undoJob(node, context.runId, places, words),
  );
}

/** keadm undoes by itself what it could not finish, and going back once more would be one step too many. */
function isAsBefore([name]: readonly string[], before: NodeSurvey, now: NodeSurvey): boolean {
  if (name === 'rollback') return now.installedVersion === before.installedVersion;
  return name === 'reset' && now.state === 'absent';
}

interface JobOnNode {
  readonly node: BatchNode;
  readonly survey: NodeSurvey;
  readonly context: WorkContext;
  readonly places: Places;
  readonly jobFolder: string;
}

async function doJob(workshop: Workshop, on: JobOnNode, job: FarEndJob): Promise<void> {
  const { node } = on;
  const end = await follow(workshop, on, job);
  const { shown, secrets, limits } = job;
  const failure = failureOfJob(end, { node: node.name, shown, secrets, limitSeconds: limits.commandSeconds });
  if (failure === undefined) return;
  // So that another try is another try, and does not find this one's end again.
  await forget(workshop, on).catch(() => undefined);
  throw failure;
}

async function follow(workshop: Workshop, on: JobOnNode, job: FarEndJob): Promise<JobEnd> {
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
            system: workshop.systems[survey.os],
            node: node.name,
            followed,
            overConnection: async (part) =>
              overConnection(workshop, { node, context: { ...context, signal }, activity, seconds }, part),
            say: context.say,
          },
          signal,
        ),
    },
    context.signal,
  );
}

async function forget(workshop: Workshop, { node, survey, context, places, jobFolder }: JobOnNode): Promise<void> {
  const part = { node, context, activity: 'forgetting the command', seconds: LOOK_SECONDS };
  await overConnection(workshop, part, async (task) =>
    workshop.systems[survey.os].call(task, places.program, {
      words: ['far-end', 'forget', jobFolder],
      activity: part.activity,
    }),
  );
}
