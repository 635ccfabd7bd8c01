import type { BatchNode } from '../inventory/batch-node.ts';
import type { NodeSurvey, WorkContext } from '../run/node-worker.ts';
import { surveyNode } from './survey-node.ts';
import { overConnection, type Workshop } from './workshop.ts';

/** Looking at a machine, or asking it something, is a matter of moments. */
export const LOOK_SECONDS = 120;

/** Connects, finds out what answers there, and looks at it. */
export async function surveyPart(workshop: Workshop, node: BatchNode, context: WorkContext): Promise<NodeSurvey> {
  const { systems, options, fresh } = workshop;
  const parcel = await workshop.parcel(node);
  const part = { node, context, activity: 'looking at it', seconds: LOOK_SECONDS };
  const survey = await overConnection(workshop, part, async (task) => {
    return surveyNode(systems, task, { ...options, parcel });
  });
  fresh.add(survey);
  return survey;
}
