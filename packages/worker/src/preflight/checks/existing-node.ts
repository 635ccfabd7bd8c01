import { OperatorError } from '@fenestra/kernel';
import { pass, skip } from '@fenestra/session';
import { failedBy, type Check } from '../check.ts';

/** Whether a living node has the name already: two kubelets of one name fight for it without end. */
export const existingNode: Check = {
  name: 'existing-node',
  judge({ cluster, nodeName }) {
    if (cluster === undefined) return skip('The cluster was not asked', 'Fix the failed checks above first.');
    const { existingNode: found, server } = cluster;
    if (found === undefined) return pass(`The cluster has no node "${nodeName}"`);
    if (found.ready !== 'True')
      return pass(`Node "${nodeName}" exists but is not Ready; this machine will take it over`);
    const message = `Cannot join as "${nodeName}": the cluster at ${server} has a node of that name, and it is Ready`;
    return failedBy(
      new OperatorError('NODE_NAME_TAKEN', message, {
        hint: `Give this node another name with "--node-name", or delete the other one with "kubectl delete node ${nodeName}".`,
      }),
    );
  },
};
