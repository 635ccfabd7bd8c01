import type { BatchNode } from '../inventory/batch.ts';
import type { NodeSurvey, WorkContext } from '../run/node-worker.ts';
import { surveyNode } from './survey-node.ts';
import { overConnection, type Workshop } from './workshop.ts';

/** Looking at a machine, or asking it something, is a matter of moments. */
export const LOOK_SECONDS = 120;

/** Connects, finds out what answers there, and looks at it. */
export async function surveyPart(workshop: Workshop, node: BatchNode, context: WorkContext): Promise<NodeSurvey> {
  const { systems, options, fresh } = workshop;
  const part = { node, context, activity: 'looking at it', seconds: LOOK_SECONDS };
  const tools = { ...options, parcel: async () => workshop.parcel(node) };
  const survey = await overConnection(workshop, part, async (task) => surveyNode(systems, task, tools));
  fresh.add(survey);
  return survey;
}
