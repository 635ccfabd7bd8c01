import { fail, pass } from '@fenestra/session';
import type { Check } from './check.ts';

/** Whether there is an agent for this processor. */
export const architecture: Check = {
  name: 'architecture',
  judge: ({ host }) =>
    host.arch === 'other'
      ? fail('There is no agent for this processor', 'Use a machine with an x64 or arm64 processor.')
      : pass(host.arch),
};
