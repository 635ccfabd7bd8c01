import type { HostFacts } from '@fenestra/platform';
import { type Check, pass, warn } from '@fenestra/session';

const NAMES = { systemd: 'systemd', scm: 'The Service Control Manager' } as const;

/** Which program restarts the agent when it fails, and after a reboot. */
export const serviceManager: Check<{ readonly host: Pick<HostFacts, 'serviceManager'> }> = {
  name: 'service-manager',
  about: 'a service manager restarts the agent, also after a reboot',
  judge({ host }) {
    if (host.serviceManager !== 'none') return pass(`${NAMES[host.serviceManager]} manages services`);
    return warn(
      'There is no systemd; the built-in supervisor restarts the agent, but nothing starts it after a reboot',
      'Have the machine run "keadm service start" when it boots.',
    );
  },
};
