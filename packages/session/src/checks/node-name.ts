import { requireNodeName } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { HostFacts } from '@fenestra/platform';
import { type Check, failedBy, type Finding, pass, warn } from './check.ts';

/** Windows' older protocols keep this many letters of a host's name. */
const NETBIOS_LENGTH = 15;

/** Whether Kubernetes takes the node's name, and no other machine has it. */
export const nodeName: Check<{
  readonly host: Pick<HostFacts, 'os' | 'hostName'>;
  readonly nodeName: string;
  /** What the cloud or the cluster says of the name, where it was asked. */
  readonly nameInCloud?: Finding;
}> = {
  name: 'node-name',
  about: 'Kubernetes accepts the name of the node, and no other machine has it',
  judge({ host, nodeName: name, nameInCloud }) {
    try {
      requireNodeName(name);
    } catch (error) {
      if (error instanceof OperatorError) return failedBy(error);
      throw error;
    }
    if (nameInCloud !== undefined && nameInCloud.verdict !== 'pass') return nameInCloud;
    if (host.os === 'windows' && host.hostName.length > NETBIOS_LENGTH)
      return warn(
        `The host's name "${host.hostName}" has more than ${NETBIOS_LENGTH} letters, and Windows cuts it off in places`,
        'Rename the host, or make sure that the names of your hosts differ in the first 15 characters.',
      );
    return nameInCloud ?? pass(`The node is called "${name}"`);
  },
};
