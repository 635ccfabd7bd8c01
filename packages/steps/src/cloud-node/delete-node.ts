import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';
import { withNodeCloud } from '@fenestra/session';

/** Deletes a node in its cloud or cluster. One that cannot be reached any more holds nothing up: it keeps the node. */
export const deleteNode = defineStep({
  kind: 'delete-node',
  pointOfNoReturn: true,
  data: z.object({
    kubeconfig: z.string(),
    node: z.string(),
  }),
  describe: ({ node }) => `Delete the Node object "${node}"`,
  async apply({ kubeconfig, node }, _before, { ports, say }, signal) {
    try {
      await withNodeCloud(ports, kubeconfig, async (cloud) => cloud.remove(node, signal));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      say(`${error.message}; the Node object stays until you run "kubectl delete node ${node}"`);
    }
  },
});
