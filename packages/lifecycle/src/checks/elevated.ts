import { fail, pass } from '@fenestra/session';
import type { Check } from './check.ts';

/** Whether keadm may change this machine. */
export const elevated: Check = {
  name: 'elevated',
  judge({ host }) {
    if (host.elevated) return pass('keadm may change this machine');
    const remedy =
      host.os === 'windows'
        ? 'Open the terminal with "Run as administrator".'
        : 'Run keadm as root, for example with sudo.';
    return fail('keadm may only look: it runs without administrator rights', remedy);
  },
};
