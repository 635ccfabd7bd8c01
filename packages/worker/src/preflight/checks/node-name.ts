import { requireNodeName } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import { pass, warn } from '@fenestra/session';
import { failedBy, type Check } from '../check.ts';

/** As many letters as Windows' older protocols keep of a host's name. */
const NETBIOS_LENGTH = 15;

/** Whether the node's name is one that Kubernetes takes. */
export const nodeName: Check = {
  name: 'node-name',
  judge({ host, nodeName: name }) {
    try {
      requireNodeName(name);
    } catch (error) {
      if (error instanceof OperatorError) return failedBy(error);
      throw error;
    }
    if (host.os === 'windows' && host.hostName.length > NETBIOS_LENGTH)
      return warn(
        `The host's name "${host.hostName}" has more than ${NETBIOS_LENGTH} letters, and Windows cuts it off in places`,
        'Rename the host, or make sure that the names of your hosts differ in the first 15 characters.',
      );
    return pass(`The node is called "${name}"`);
  },
};
