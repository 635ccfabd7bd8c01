import { pass, warn } from '@fenestra/session';
import type { Check } from './check.ts';

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Whether the host's name can be the node's name. */
export const hostName: Check = {
  name: 'host-name',
  judge({ host }) {
    const name = host.hostName.toLowerCase();
    if (name.split('.').every((label) => DNS_LABEL.test(label))) return pass(`The node would be called "${name}"`);
    return warn(
      `"${host.hostName}" cannot be a node's name: only letters, digits and "-", at most 63 in a row`,
      'Rename the host, or give the node another name when it joins.',
    );
  },
};
