import { OperatorError } from '@fenestra/kernel';
import { type Check, failedBy, pass, warn } from './check.ts';

/** What is known of a container runtime. A usable one may have a problem: without a network, some pods cannot run. */
export interface FoundRuntime {
  readonly endpoint: string;
  readonly usable: boolean;
  /** `containerd 1.6.20`, where it is known. */
  readonly version?: string;
  /** Completes "The container runtime at …". */
  readonly problem?: string;
  readonly remedy?: string;
}

/** Whether pods can run here. */
export const containerRuntime: Check<{
  readonly runtime: FoundRuntime;
  /** Set where the network for pods comes with a plugin after the join. */
  readonly networkComesLater?: true;
}> = {
  name: 'container-runtime',
  about: 'the container runtime answers and can run pods',
  judge({ runtime: { endpoint, usable, version, problem, remedy = 'Install containerd and start it.' }, ...facts }) {
    const found = `${version ?? 'A container runtime'} at ${endpoint}`;
    if (usable && problem === undefined) return pass(found);
    if (usable && facts.networkComesLater === true)
      return pass(`${found}; pods have no network until a network plugin is installed`);
    const reason = `The container runtime at "${endpoint}" ${problem ?? 'cannot be used'}`;
    return usable ? warn(reason, remedy) : failedBy(new OperatorError('RUNTIME_UNUSABLE', reason, { hint: remedy }));
  },
};
