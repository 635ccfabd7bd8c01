import { pass } from '@fenestra/session';
import { failedBy, type Check } from '../check.ts';

/** Whether the kubelet's service is ours to make and change. */
export const service: Check = {
  name: 'service',
  judge({ foreignService, service: { state } }) {
    if (foreignService !== undefined) return failedBy(foreignService);
    return pass(state === 'absent' ? 'There is no kubelet service yet' : `The kubelet's service is ours, and ${state}`);
  },
};
