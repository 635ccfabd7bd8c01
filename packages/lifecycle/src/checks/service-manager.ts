import { pass, warn } from '@fenestra/session';
import type { Check } from './check.ts';

const NAMES = { systemd: 'systemd', scm: 'The Service Control Manager' } as const;

/** Who restarts the agent when it fails, and after a reboot. */
export const serviceManager: Check = {
  name: 'service-manager',
  judge({ host }) {
    if (host.serviceManager !== 'none') return pass(`${NAMES[host.serviceManager]} manages services`);
    return warn(
      'There is no systemd; the built-in supervisor restarts the agent, but nothing starts it after a reboot',
      'Have the machine run "keadm service start" when it boots.',
    );
  },
};
