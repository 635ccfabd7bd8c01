import type { HostFacts } from '@fenestra/platform';
import { type Check, fail, pass } from './check.ts';

/** Whether keadm may change this machine. */
export const elevated: Check<{ readonly host: Pick<HostFacts, 'elevated' | 'os'> }> = {
  name: 'elevated',
  about: 'keadm runs with administrator rights',
  judge({ host }) {
    if (host.elevated) return pass('keadm may change this machine');
    const remedy =
      host.os === 'windows'
        ? 'Open the terminal with "Run as administrator".'
        : 'Run keadm as root, for example with sudo.';
    return fail('keadm may only look: it runs without administrator rights', remedy);
  },
};
