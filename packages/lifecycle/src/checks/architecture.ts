import type { HostFacts } from '@fenestra/platform';
import { type Check, fail, pass } from '@fenestra/session';

/** Whether there is an agent for this processor. */
export const architecture: Check<{ readonly host: Pick<HostFacts, 'arch'> }> = {
  name: 'architecture',
  about: 'there is an agent for the processor',
  judge: ({ host }) =>
    host.arch === 'other'
      ? fail('There is no agent for this processor', 'Use a machine with an x64 or arm64 processor.')
      : pass(host.arch),
};
