import { defineStep, OperatorError, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { StepPorts } from '../ports.ts';

const RemoveContainerNetwork = z.object({
  kind: z.literal('remove-container-network'),
  id: z.string(),
  /** For people. */
  name: z.string(),
  pointOfNoReturn: z.literal(true),
});
export type RemoveContainerNetwork = z.infer<typeof RemoveContainerNetwork>;

/** Removes a network of containers with its endpoints. One that the system holds on to is told of, and holds nothing up. */
export const removeContainerNetwork: StepHandler<StepPorts> = defineStep({
  kind: 'remove-container-network',
  step: RemoveContainerNetwork,
  before: z.null(),
  describe: ({ name }) => `Remove the container network "${name}"`,
  prepare: async () => null,
  async apply({ id, name }, _before, { ports, say }) {
    if (ports.networks === undefined) throw new Error('A plan for networks runs on a system without them');
    await ports.networks.remove(id).catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      say(`The container network "${name}" stays: ${error.message}`, { lasting: true });
    });
  },
  revert: async () => {
    throw new Error('A removed network is not made again, and the executor never asks for it');
  },
});
