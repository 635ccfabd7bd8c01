import { defineStep } from '../define-step.ts';
import { giveNameBack, NamedNode } from './give-name-back.ts';

/** Gives the node's name back by its own certificate. A cloud that cannot be reached does not stop the reset. */
export const leaveCloud = defineStep({
  kind: 'leave-cloud',
  pointOfNoReturn: true,
  data: NamedNode,
  describe: ({ nodeName, cloud }) => `Notify the cloud at "${cloud}" that node "${nodeName}" leaves`,
  async apply(step, _before, { say }, signal) {
    const note = await giveNameBack(step, signal);
    if (note !== undefined) say(note, { lasting: true });
  },
});
