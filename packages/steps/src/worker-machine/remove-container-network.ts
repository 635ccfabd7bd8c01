import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';

/** Removes a network of containers with its endpoints. One that the system holds on to is told of, and holds nothing up. */
export const removeContainerNetwork = defineStep({
  kind: 'remove-container-network',
  pointOfNoReturn: true,
  data: z.object({
    id: z.string(),
    /** For people. */
    name: z.string(),
  }),
  describe: ({ name }) => `Remove the container network "${name}"`,
  async apply({ id, name }, _before, { ports, say }) {
    if (ports.networks === undefined) throw new Error('A plan for networks runs on a system without them');
    await ports.networks.remove(id).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      say(`The container network "${name}" stays: ${error.message}`, { lasting: true });
    });
  },
});
