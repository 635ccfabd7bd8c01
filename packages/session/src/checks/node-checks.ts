import { requireNodeName } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import type { HostFacts, WorkerHostFacts } from '@fenestra/platform';
import { type Check, failedBy, type Finding, pass, warn, fail } from './check.ts';

/** Windows' older protocols keep this many letters of a host's name. */
const NETBIOS_LENGTH = 15;

/** Whether Kubernetes takes the node's name, and no other machine has it. */
export const nodeName: Check<{
  readonly host: Pick<HostFacts, 'os' | 'hostName'>;
  readonly nodeName: string;
  /** What the cloud or the cluster says of the name, where it was asked. */
  readonly nameInCloud?: Finding;
}> = {
  name: 'node-name',
  about: 'Kubernetes accepts the name of the node, and no other machine has it',
  judge({ host, nodeName: name, nameInCloud }) {
    try {
      requireNodeName(name);
    } catch (error) {
      if (error instanceof OperatorError) return failedBy(error);
      throw error;
    }
    if (nameInCloud !== undefined && nameInCloud.verdict !== 'pass') return nameInCloud;
    if (host.os === 'windows' && host.hostName.length > NETBIOS_LENGTH)
      return warn(
        `The host's name "${host.hostName}" has more than ${NETBIOS_LENGTH} letters, and Windows cuts it off in places`,
        'Rename the host, or make sure that the names of your hosts differ in the first 15 characters.',
      );
    return nameInCloud ?? pass(`The node is called "${name}"`);
  },
};

/** A port that the node agent or the kubelet listens on. */
export interface NodePort {
  readonly port: number;
  /** The setting that it comes from, where it can be set. */
  readonly setting?: string;
  readonly free: boolean;
}

/** Whether the agent or the kubelet can listen where it must. */
export const ports: Check<{
  readonly ports: readonly NodePort[];
  /** Whether the agent or the kubelet of keadm runs, so that the ports are in use by it. */
  readonly ownServiceRuns: boolean;
}> = {
  name: 'ports',
  about: 'no other program uses the ports of the agent or the kubelet',
  judge({ ports: needed, ownServiceRuns }) {
    if (needed.length === 0) return pass('The agent listens on no port');
    const busy = needed.filter(({ free }) => !free);
    if (busy.length === 0) return pass(`Free: ${needed.map(nameOf).join(', ')}`);
    if (ownServiceRuns) return pass(`In use by the node itself: ${busy.map(nameOf).join(', ')}`);
    const remedy = busy.some(({ setting }) => setting !== undefined)
      ? 'Stop that program, or set another port.'
      : 'Stop that program; if it is another kubelet, this machine is a worker already.';
    return fail(`In use by another program: ${busy.map(nameOf).join(', ')}`, remedy);
  },
};

function nameOf({ port, setting }: NodePort): string {
  return setting === undefined ? `port ${port}` : `port ${port} ("${setting}")`;
}

/** Whether anything is left of an earlier node, which the new one would be mistaken for. */
export const leftoverState: Check<{
  readonly leftovers: readonly string[];
  /** The command that removes them. */
  readonly resetCommand: string;
  /** Programs that would be replaced although keadm did not install them. */
  readonly foreignPrograms?: readonly string[];
}> = {
  name: 'leftover-state',
  about: 'nothing is left of an earlier node or of another join',
  judge({ leftovers, resetCommand, foreignPrograms = [] }) {
    if (leftovers.length > 0)
      return fail(
        `An earlier node left ${quoted(leftovers)}`,
        `Look whether anything there is still needed, then run "${resetCommand}".`,
      );
    if (foreignPrograms.length > 0)
      return fail(
        `${quoted(foreignPrograms)} was not installed by keadm and would be replaced`,
        'Move it away if it is still needed.',
      );
    return pass('Nothing is left of an earlier node');
  },
};

function quoted(paths: readonly string[]): string {
  return paths.map((path) => `"${path}"`).join(', ');
}

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

/** Whether pods can run here. A network for them may come later, by a plugin that is a pod. */
export const containerRuntime: Check<{ readonly runtime: FoundRuntime }> = {
  name: 'container-runtime',
  about: 'the container runtime answers and can run pods',
  judge({ runtime: { endpoint, usable, version, problem, remedy = 'Install containerd and start it.' } }) {
    const found = `${version ?? 'A container runtime'} at ${endpoint}`;
    if (usable && problem === undefined) return pass(found);
    if (usable) return pass(`${found}; pods have no network until a network plugin is installed`);
    const reason = `The container runtime at "${endpoint}" ${problem ?? 'cannot be used'}`;
    return failedBy(new OperatorError('RUNTIME_UNUSABLE', reason, { hint: remedy }));
  },
};

/** What to do about the service of containerd, where it does not run; `undefined` if that is not the cause. */
export function serviceRemedy(worker: WorkerHostFacts): string | undefined {
  if (worker.os === 'linux' || worker.containerdService === 'running') return undefined;
  if (worker.containerdService === 'absent')
    return 'containerd is not registered as a service: install it, then run "containerd --register-service" and start it.';
  return `The service "containerd" is ${worker.containerdService}: start it with "sc.exe start containerd".`;
}
