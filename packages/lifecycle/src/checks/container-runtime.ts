import { fail, pass, type Check } from './check.ts';

/** Whether pods can run here. */
export const containerRuntime: Check = {
  name: 'container-runtime',
  judge({ host: { runtimes } }) {
    if (runtimes.length > 0)
      return pass(runtimes.map(({ runtime, endpoint }) => `${runtime} at ${endpoint}`).join(', '));
    return fail('No container runtime was found, so pods cannot run', 'Install containerd and start it.');
  },
};
