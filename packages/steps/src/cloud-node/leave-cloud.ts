import { defineStep, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { StepPorts } from '../ports.ts';
import { giveNameBack, NamedNode } from './give-name-back.ts';

const LeaveCloud = z.extend(NamedNode, { kind: z.literal('leave-cloud'), pointOfNoReturn: z.literal(true) });
export type LeaveCloud = z.infer<typeof LeaveCloud>;

/** Gives the node's name back by its own certificate. A cloud that cannot be reached does not stop the reset. */
export const leaveCloud: StepHandler<StepPorts> = defineStep({
  kind: 'leave-cloud',
  step: LeaveCloud,
  before: z.null(),
  describe: ({ nodeName, cloud }) => `Notify the cloud at "${cloud}" that node "${nodeName}" leaves`,
  prepare: async () => null,
  async apply(step, _before, { say }, signal) {
    const note = await giveNameBack(step, signal);
    if (note !== undefined) say(note, { lasting: true });
  },
  revert: async () => {
    throw new Error('Leaving a cloud cannot be reverted, and the executor never asks for it');
  },
});
