import { deliverPart } from './node-deliver.ts';
import { executePart, rollBackPart } from './node-execute.ts';
import { LOOK_SECONDS, surveyPart } from './node-survey.ts';
import { STOP_SECONDS } from './job-of.ts';
import { proveNode } from './prove-node.ts';
import type { RemoteWorker, RemoteWorkerOptions } from './worker-options.ts';
import { openWorkshop, overConnection, placesOn } from './workshop.ts';

/** The work of a run on real machines, over SSH. */
export function remoteWorker(options: RemoteWorkerOptions): RemoteWorker {
  const workshop = openWorkshop(options);
  const { connections, systems } = workshop;
  return {
    survey: async (node, context) => surveyPart(workshop, node, context),
    deliver: async (node, survey, context) => deliverPart(workshop, node, survey, context),
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
