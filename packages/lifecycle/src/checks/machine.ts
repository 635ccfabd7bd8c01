import type { HostFacts } from '@fenestra/platform';
import { type Check, fail, pass, warn, type Finding } from '@fenestra/session';

/** Whether there is an agent for this processor. */
export const architecture: Check<{ readonly host: Pick<HostFacts, 'arch'> }> = {
  name: 'architecture',
  about: 'there is an agent for the processor',
  judge: ({ host }) =>
    host.arch === 'other'
      ? fail('There is no agent for this processor', 'Use a machine with an x64 or arm64 processor.')
      : pass(host.arch),
};

const NAMES = { systemd: 'systemd', scm: 'The Service Control Manager' } as const;

/** Which program restarts the agent when it fails, and after a reboot. */
export const serviceManager: Check<{ readonly host: Pick<HostFacts, 'serviceManager'> }> = {
  name: 'service-manager',
  about: 'a service manager restarts the agent, also after a reboot',
  judge({ host }) {
    if (host.serviceManager !== 'none') return pass(`${NAMES[host.serviceManager]} manages services`);
    return warn(
      'systemd is missing; the built-in supervisor restarts the agent, but not after a reboot',
      'Configure the machine to run "keadm service start" at boot.',
    );
  },
};

/** Whether the cloud answers, the one to be joined or the one of the node on this machine. */
export const cloud: Check<{ readonly cloud: Finding | undefined }> = {
  name: 'cloud',
  about: 'the cloud can be reached at both of its ports',
  judge: ({ cloud: found }) => found ?? pass('This machine has not joined a cloud yet'),
};
