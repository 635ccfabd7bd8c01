import { versionTag } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { CommandEffect } from '../far-end/command-effect.ts';
import { jsonIn } from '../far-end/messages.ts';
import type { NodeSurvey } from '../run/node-worker.ts';
import type { FarSystem, Findings, Task } from './far-system.ts';
import { STOP_SECONDS } from './jobs.ts';
import { executePart, rollBackPart } from './node-execute.ts';
import { LOOK_SECONDS, surveyPart } from './survey-node.ts';
import type { RemoteWorker, RemoteWorkerOptions } from './worker-options.ts';
import { openWorkshop, overConnection, placesOn, type Workshop } from './workshop.ts';

/** The work of a run on real machines, over SSH. */
export function remoteWorker(options: RemoteWorkerOptions): RemoteWorker {
  const workshop = openWorkshop(options);
  const { connections, systems } = workshop;
  return {
    survey: async (node, context) => surveyPart(workshop, node, context),
    async deliver(node, survey, context) {
      const { os, arch } = survey;
      const goods = { program: await options.programs(os, arch), parcel: await workshop.parcel(node) };
      const part = { node, context, activity: 'sending it the files', seconds: node.limits.deliverSeconds };
      await overConnection(workshop, part, async (task) => {
        const notes = await currentNotes(workshop, survey, task);
        const missing = systems[os].missing(notes, goods);
        context.progress(0, missing.bytes);
        await systems[os].deliver(task, notes, goods, missing);
        context.progress(missing.bytes, missing.bytes);
      });
    },
    execute: async (node, survey, context) => executePart(workshop, node, survey, context),
    async prove(node, survey, context) {
      const { program } = await placesOn(workshop, node, survey, context);
      const part = { node, context, activity: 'asking how it is', seconds: LOOK_SECONDS };
      await overConnection(workshop, part, async (task) => proveNode(systems[survey.os], task, program));
    },
    rollBack: async (node, survey, context) => rollBackPart(workshop, node, survey, context),
    async tidy(node, survey, context) {
      const part = { node, context, activity: 'tidying up', seconds: STOP_SECONDS + LOOK_SECONDS };
      if (survey !== undefined && (survey.action === 'change' || survey.notes['left'] === 'true')) {
        const places = await placesOn(workshop, node, survey, context);
        await overConnection(workshop, part, async (task) => systems[survey.os].tidy(task, places));
      }
      await connections.drop(node);
    },
    close: async () => workshop.close(),
  };
}

/** After an earlier try, or in a run that was resumed, part of it may be there already. */
async function currentNotes({ fresh, systems }: Workshop, survey: NodeSurvey, task: Task): Promise<Findings['notes']> {
  if (fresh.delete(survey)) return survey.notes;
  return (await systems[survey.os].look(task)).notes;
}

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
async function proveNode(system: FarSystem, task: Task, program: string): Promise<void> {
  const { node, effect } = task;
  const { leavesAgent, root } = effect;
  if (!leavesAgent) return;
  const words = ['status', ...(root === undefined ? [] : ['--root', root]), '--output', 'json'];
  const { output, errors } = await system.call(task, program, { words, activity: 'asking how it is' });
  const problem = problemOf(Status.safeParse(jsonIn(output)).data, effect, errors);
  if (problem === undefined) return;
  throw new OperatorError('AGENT_UNHEALTHY', `The node on "${node.name}" does not work: ${problem}`, {
    hint: 'Run "keadm status" and "keadm logs" on that machine.',
  });
}

function problemOf(status: Status | undefined, { goal }: CommandEffect, errors: string): string | undefined {
  if (status === undefined) return `it does not report its status${errors === '' ? '' : `: ${errors}`}`;
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
