import type { WorkerHostFacts } from '@fenestra/platform';
import { type Check, fail, pass } from '@fenestra/session';

/** Whether Windows can make networks for containers: the Host Networking Service. */
export const networkService: Check<{ readonly worker: WorkerHostFacts }> = {
  name: 'network-service',
  about: 'the Host Networking Service exists (Windows)',
  judge({ worker }) {
    if (worker.os === 'linux') return pass('Networks of containers belong to the plugins');
    const { networkService: state } = worker;
    if (state === 'absent')
      return fail(
        'There is no Host Networking Service',
        'Switch the Containers feature on, then restart the machine: it brings this service.',
      );
    // It starts by itself as soon as a network is requested.
    return pass(`The Host Networking Service is ${state}`);
  },
};
