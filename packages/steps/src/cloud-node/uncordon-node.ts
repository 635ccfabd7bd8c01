import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { defineStep } from '../define-step.ts';
import { withNodeCloud } from '@fenestra/session';

/** Lets new pods come to a node again. That its work is done does not depend on it, so a failure is only told. */
export const uncordonNode = defineStep({
  kind: 'uncordon-node',
  pointOfNoReturn: true,
  data: z.object({
    kubeconfig: z.string(),
    node: z.string(),
  }),
  describe: ({ node }) => `Uncordon the node "${node}"`,
  async apply({ kubeconfig, node }, _before, { ports, say }, signal) {
    try {
      await withNodeCloud(ports, kubeconfig, async (cloud) => cloud.setSchedulable(node, true, signal));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      say(`${error.message}; the node stays cordoned until you run "kubectl uncordon ${node}"`, {
        lasting: true,
      });
    }
  },
});
