import { fail, pass } from '@fenestra/session';
import type { Check } from '../check.ts';

/** Whether Windows can make networks for containers: the Host Networking Service. */
export const networkService: Check = {
  name: 'network-service',
  judge({ worker }) {
    if (worker.os === 'linux') return pass('Networks of containers belong to the plugins');
    const { networkService: state } = worker;
    if (state === 'absent')
      return fail(
        'There is no Host Networking Service',
        'Switch the Containers feature on, then restart the machine: it brings this service.',
      );
    // It starts by itself as soon as somebody asks for a network.
    return pass(`The Host Networking Service is ${state}`);
  },
};
