import type { WorkerHostFacts } from '@fenestra/platform';
import { type Check, fail, pass } from '@fenestra/session';

/** Whether packets of pods can leave the machine. */
export const forwarding: Check<{ readonly worker: WorkerHostFacts }> = {
  name: 'forwarding',
  about: 'packets of pods can leave the machine (Linux)',
  judge({ worker }) {
    if (worker.os === 'windows') return pass('Windows forwards what its networks of containers need');
    if (worker.forwarding !== false) return pass('IPv4 packets are forwarded');
    return fail(
      'IPv4 forwarding is disabled, so pods cannot reach other hosts',
      'Set "net.ipv4.ip_forward = 1" in a file in "/etc/sysctl.d", then run "sysctl --system".',
    );
  },
};
