import { fail, pass } from '@fenestra/session';
import type { Check } from '../check.ts';

/** Whether packets of pods can leave the machine. */
export const forwarding: Check = {
  name: 'forwarding',
  judge({ worker }) {
    if (worker.os === 'windows') return pass('Windows forwards what its networks of containers need');
    if (worker.forwarding !== false) return pass('IPv4 packets are forwarded');
    return fail(
      'IPv4 forwarding is disabled, so pods cannot reach other hosts',
      'Set "net.ipv4.ip_forward = 1" in a file in "/etc/sysctl.d", then run "sysctl --system".',
    );
  },
};
