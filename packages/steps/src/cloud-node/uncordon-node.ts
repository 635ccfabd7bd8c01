import { defineStep, OperatorError, type StepHandler } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { StepPorts } from '../ports.ts';
import { withNodeCloud } from './node-cloud.ts';

const UncordonNode = z.object({
  kind: z.literal('uncordon-node'),
  kubeconfig: z.string(),
  node: z.string(),
  pointOfNoReturn: z.literal(true),
});
export type UncordonNode = z.infer<typeof UncordonNode>;

/** Lets new pods come to a node again. That its work is done does not depend on it, so a failure is only told. */
export const uncordonNode: StepHandler<StepPorts> = defineStep({
  kind: 'uncordon-node',
  step: UncordonNode,
  before: z.null(),
  describe: ({ node }) => `Uncordon the node "${node}"`,
  prepare: async () => null,
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
  revert: async () => {},
});
