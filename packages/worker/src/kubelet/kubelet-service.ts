import type { RecoveryPolicy, ServiceSpec, WorkerHostFacts, WorkerLayout } from '@fenestra/platform';

/** The name the kubelet has in every service manager, as kubeadm knows it. */
export const KUBELET_SERVICE = 'kubelet';

/** containerd's name as a service. */
const RUNTIME_SERVICE = 'containerd';

/**
 * A kubelet ends by itself again and again until it has its certificate, and whenever it wants to begin anew, so that it
 * is brought back soon; and for ever, because nobody can run a pod on a machine without one.
 */
const RECOVERY: RecoveryPolicy = { restartDelaysSeconds: [5, 10, 30], resetAfterSeconds: 60 * 60 };

/** What the kubelet's service depends on. */
export interface KubeletServiceOptions {
  readonly layout: Pick<WorkerLayout, 'hostExecutable'>;
  readonly facts: WorkerHostFacts;
  /** The folder below which the worker lives, if not the whole machine. */
  readonly root: string | undefined;
}

/** The kubelet as a service: a copy of this program, which finds out at each start what to tell the kubelet. */
export function kubeletService({ layout, facts, root }: KubeletServiceOptions): ServiceSpec {
  return {
    name: KUBELET_SERVICE,
    displayName: 'Kubernetes kubelet (Fenestra)',
    description: 'Runs the pods that the cluster has given to this machine',
    executable: layout.hostExecutable,
    args: ['kubelet', ...(root === undefined ? [] : ['--root', root])],
    startType: 'automatic',
    dependencies: dependenciesOn(facts),
    recovery: RECOVERY,
    rights: 'all',
    writableFolders: [],
  };
}

/** A dependency that is not there would keep the service from starting. On Linux a runtime may go away and come back. */
function dependenciesOn(facts: WorkerHostFacts): readonly string[] {
  return facts.os === 'windows' && facts.containerdService !== 'absent' ? [RUNTIME_SERVICE] : [];
}
