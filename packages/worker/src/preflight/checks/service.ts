import { type Check, failedBy, pass } from '@fenestra/session';
import type { PreflightFacts } from '../preflight-facts.ts';

/** Whether the kubelet's service is ours to make and change. */
export const service: Check<Pick<PreflightFacts, 'foreignService' | 'service'>> = {
  name: 'service',
  about: 'the service "kubelet" belongs to keadm, or does not exist',
  binding: true,
  judge({ foreignService, service: { state } }) {
    if (foreignService !== undefined) return failedBy(foreignService);
    return pass(state === 'absent' ? 'There is no kubelet service yet' : `The kubelet's service is ours, and ${state}`);
  },
};
