import type { ContainerNetwork, FirewallRule, NodeLayout, ServiceStatus, WorkerLayout } from '@fenestra/platform';
import type { JudgedFolder, Kept } from '@fenestra/steps';
import type { ClusterAnswer } from './ask-cluster.ts';

/** What an operator wants of a reset. */
export interface KubeResetWishes {
  /** Whether earlier work that can be neither finished nor undone is given up. */
  readonly force: boolean;
  /** With which the node is drained and deleted; the node's own can only drain. */
  readonly kubeconfig: string | undefined;
  readonly drain: boolean;
  readonly drainLimitSeconds: number;
  readonly keepPrograms: boolean;
  /** Where the container runtime is, if not where the worker has it. */
  readonly criSocket: string | undefined;
}

/** The container runtime that the worker's pods are to be removed from, or why they can not be. */
export interface RuntimeAnswer {
  readonly endpoint?: string;
  readonly problem?: string;
}

/** What the plan of a reset is made from. */
export interface KubeResetFacts {
  readonly wishes: KubeResetWishes;
  readonly layout: WorkerLayout;
  readonly node: Pick<NodeLayout, 'guardExecutable'>;
  /** Whether there is a worker, be it half of one, whoever made it. */
  readonly present: boolean;
  /** Whether it has ever belonged to a cluster. */
  readonly joined: boolean;
  readonly nodeName: string;
  readonly service: ServiceStatus;
  /** Whether keadm registered the service; one that others registered is only stopped. */
  readonly ownService: boolean;
  readonly cluster: ClusterAnswer;
  readonly runtime: RuntimeAnswer;
  readonly guardLeft: boolean;
  /** Where volumes of pods are mounted, the deepest first. */
  readonly volumes: readonly string[];
  /** The firewall's rule, where it has to go. */
  readonly firewallRule: FirewallRule | undefined;
  /** Networks that came with the cluster. */
  readonly networks: readonly ContainerNetwork[];
  readonly folders: readonly JudgedFolder[];
  readonly kept: readonly Kept[];
}
