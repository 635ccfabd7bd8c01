import { fail, pass, warn } from '@fenestra/session';
import type { Check } from './check.ts';

/** Whether pods can run here. */
export const containerRuntime: Check = {
  name: 'container-runtime',
  judge({ runtime: { endpoint, usable, version, problem, remedy } }) {
    if (usable && problem === undefined) return pass(`${version ?? 'A container runtime'} at ${endpoint}`);
    const reason = `The container runtime at "${endpoint}" ${problem ?? 'cannot be used'}`;
    return (usable ? warn : fail)(reason, remedy ?? 'Install containerd and start it.');
  },
};
