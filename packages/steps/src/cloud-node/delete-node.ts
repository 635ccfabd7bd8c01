import { defineStep, OperatorError, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { StepPorts } from '../ports.ts';
import { withNodeCloud } from './node-cloud.ts';

const DeleteNode = z.object({
  kind: z.literal('delete-node'),
  kubeconfig: z.string(),
  node: z.string(),
  pointOfNoReturn: z.literal(true),
});
export type DeleteNode = z.infer<typeof DeleteNode>;

/** Deletes a node in its cloud or cluster. One that cannot be reached any more holds nothing up: it keeps the node. */
export const deleteNode: StepHandler<StepPorts> = defineStep({
  kind: 'delete-node',
  step: DeleteNode,
  before: z.null(),
  describe: ({ node }) => `Delete the Node object "${node}"`,
  prepare: async () => null,
  async apply({ kubeconfig, node }, _before, { ports, say }, signal) {
    try {
      await withNodeCloud(ports, kubeconfig, async (cloud) => cloud.remove(node, signal));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      say(`${error.message}; the Node object stays until you run "kubectl delete node ${node}"`);
    }
  },
  revert: async () => {
    throw new Error('A deletion cannot be reverted, and the executor never asks for it');
  },
});
