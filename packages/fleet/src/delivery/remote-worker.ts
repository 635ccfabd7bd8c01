import type { NodeSurvey } from '../run/node-worker.ts';
import type { Findings, Task } from './far-system.ts';
import { STOP_SECONDS } from './jobs.ts';
import { executePart, rollBackPart } from './node-execute.ts';
import { proveNode } from './node-status.ts';
import { previewPart } from './preview-node.ts';
import { LOOK_SECONDS, surveyPart } from './survey-node.ts';
import type { RemoteWorker, RemoteWorkerOptions } from './worker-options.ts';
import { openDeliveryResources, overConnection, placesOn, type DeliveryResources } from './delivery-resources.ts';

/** The work of a run on real machines, over SSH. */
export function remoteWorker(options: RemoteWorkerOptions): RemoteWorker {
  const resources = openDeliveryResources(options);
  const { connections, systems } = resources;
  return {
    survey: async (node, context) => surveyPart(resources, node, context),
    async deliver(node, survey, context) {
      const { os, arch } = survey;
      const payload = { program: await options.programs(os, arch), parcel: await resources.parcel(node) };
      const part = { node, context, activity: 'sending it the files', seconds: node.limits.deliverSeconds };
      await overConnection(resources, part, async (task) => {
        const notes = await currentNotes(resources, survey, task);
        const missing = systems[os].missing(notes, payload);
        context.progress(0, missing.bytes);
        await systems[os].deliver(task, notes, payload, missing);
        context.progress(missing.bytes, missing.bytes);
      });
    },
    preview: async (node, survey, context) => previewPart(resources, node, survey, context),
    execute: async (node, survey, context) => executePart(resources, node, survey, context),
    async prove(node, survey, context) {
      const { program } = await placesOn(resources, node, survey, context);
      const part = { node, context, activity: 'asking how it is', seconds: LOOK_SECONDS };
      await overConnection(resources, part, async (task) => proveNode(systems[survey.os], task, program, survey));
    },
    rollBack: async (node, survey, context) => rollBackPart(resources, node, survey, context),
    async tidy(node, survey, context) {
      const part = { node, context, activity: 'tidying up', seconds: STOP_SECONDS + LOOK_SECONDS };
      if (survey !== undefined && (survey.action === 'change' || survey.notes['left'] === 'true')) {
        const places = await placesOn(resources, node, survey, context);
        await overConnection(resources, part, async (task) => systems[survey.os].tidy(task, places));
      }
      await connections.drop(node);
    },
    close: async () => resources.close(),
  };
}

/** After an earlier try, or in a run that was resumed, part of it may be there already. */
async function currentNotes(
  { fresh, systems }: DeliveryResources,
  survey: NodeSurvey,
  task: Task,
): Promise<Findings['notes']> {
  if (fresh.delete(survey)) return survey.notes;
  return (await systems[survey.os].look(task)).notes;
}
