import { fail, pass } from '@fenestra/session';
import type { Check } from '../check.ts';

/** Where the API server expects a kubelet. */
export const KUBELET_PORT = 10_250;

/** Whether the kubelet can listen where the cluster expects it. */
export const port10250: Check = {
  name: 'port-10250',
  judge({ kubeletPortFree, service, foreignService }) {
    if (kubeletPortFree) return pass(`Port ${KUBELET_PORT} is free`);
    if (service.state === 'running' && foreignService === undefined)
      return pass(`Port ${KUBELET_PORT} is the running kubelet's own`);
    return fail(
      `Port ${KUBELET_PORT} is in use by another program`,
      'Stop that program; if it is another kubelet, this machine is a worker already.',
    );
  },
};
