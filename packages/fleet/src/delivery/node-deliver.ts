import type { BatchNode } from '../inventory/batch-node.ts';
import type { NodeSurvey, WorkContext } from '../run/node-worker.ts';
import type { Findings, Task } from './far-system.ts';
import { goodsFor, overConnection, type Workshop } from './workshop.ts';

/** Sends a node what it lacks. */
export async function deliverPart(
  workshop: Workshop,
  node: BatchNode,
  survey: NodeSurvey,
  context: WorkContext,
): Promise<void> {
  const goods = await goodsFor(workshop, node, survey);
  const system = workshop.systems[survey.os];
  const part = { node, context, activity: 'sending it the files', seconds: node.limits.deliverSeconds };
  await overConnection(workshop, part, async (task) => {
    const notes = await currentNotes(workshop, survey, task);
    const missing = system.missing(notes, goods);
    context.progress(0, missing.bytes);
    await system.deliver(task, notes, goods, missing);
    context.progress(missing.bytes, missing.bytes);
  });
}

/** After an earlier try, or in a run that was resumed, part of it may be there already. */
async function currentNotes({ fresh, systems }: Workshop, survey: NodeSurvey, task: Task): Promise<Findings['notes']> {
  if (fresh.delete(survey)) return survey.notes;
  return (await systems[survey.os].look(task)).notes;
}
