import { type Phase, pointOfNoReturn } from '@fenestra/kernel';
import type { ContainerNetwork, FirewallRule, NodeLayout, ServiceStatus, WorkerLayout } from '@fenestra/platform';
import {
  clearJudged,
  closeFirewall,
  deleteNode,
  disarmGuard,
  drainNode,
  type JudgedFolder,
  type Kept,
  removeContainerNetwork,
  removePods,
  removeService,
  stopUnlessStopped,
  unmount,
} from '@fenestra/steps';
import { KUBELET_SERVICE } from '../kubelet/kubelet-service.ts';
import type { ClusterAnswer } from './ask-cluster.ts';

const POD_LIMIT_SECONDS = 300;

/**
 * The order is the design: nothing is deleted while the kubelet runs, and until something is, everything can be undone.
 * The service goes first, so that no restart of the machine brings the kubelet, its pods and its node back half-way.
 */
export const KUBE_RESET: readonly Phase<KubeResetFacts>[] = [
  {
    // The pods move to other nodes while this one can still end them in good order.
    id: 'drain',
    title: 'Drain the node',
    plan({ wishes: { drain, drainLimitSeconds: limitSeconds }, cluster, nodeName: node }) {
      if (!drain || cluster.state !== 'registered') return [];
      return [drainNode({ kubeconfig: cluster.kubeconfig, node, limitSeconds, confirms: cluster.ready })];
    },
  },
  {
    // A running kubelet would make again what is removed.
    id: 'stop-kubelet',
    title: 'Stop the kubelet',
    plan: ({ present, service }) => (present ? stopUnlessStopped(service, KUBELET_SERVICE) : []),
  },
  {
    // The service manager forgets the kubelet, if it was keadm that registered it. There is no rollback from here.
    id: 'remove-service',
    title: 'Remove the service',
    plan: ({ service, ownService }) =>
      ownService && service.state !== 'absent' ? [pointOfNoReturn(removeService({ name: KUBELET_SERVICE }))] : [],
  },
  {
    // Pods outlive the kubelet that started them.
    id: 'remove-pods',
    title: 'Remove the pods',
    plan: ({ runtime: { endpoint } }) =>
      endpoint === undefined ? [] : [removePods({ endpoint, limitSeconds: POD_LIMIT_SECONDS, ofKubelet: true })],
  },
  {
    // What pods had mounted stays mounted when they are gone, and nothing is deleted through a mount.
    id: 'unmount-volumes',
    title: "Unmount the pods' volumes",
    plan: ({ volumes }) => volumes.map((path) => unmount({ path })),
  },
  {
    // The node leaves the cluster only when its kubelet is stopped, which would register it again.
    id: 'leave-cluster',
    title: 'Leave the cluster',
    plan({ cluster, nodeName: node }) {
      if (cluster.state !== 'registered' || !cluster.mayDelete) return [];
      return [deleteNode({ kubeconfig: cluster.kubeconfig, node })];
    },
  },
  {
    // The firewall's rule for the kubelet, and the networks that came with the cluster.
    id: 'close-network',
    title: 'Take the networks away',
    plan: ({ firewallRule: rule, networks }) => [
      ...networks.map(removeContainerNetwork),
      ...(rule === undefined ? [] : [pointOfNoReturn(closeFirewall({ rule }))]),
    ],
  },
  {
    // There is no worker left to guard.
    id: 'remove-guard',
    title: 'Remove the guard',
    plan: ({ guardLeft, node: { guardExecutable: executable } }) => (guardLeft ? [disarmGuard({ executable })] : []),
  },
  {
    // Identity, configuration, state, programs and record: what is the worker's, and nothing beside it.
    id: 'delete-files',
    title: "Delete the worker's files",
    plan: ({ folders }) => clearJudged(folders),
  },
];

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
  /** Whether there is a worker, be it half of one, whatever made it. */
  readonly present: boolean;
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
  readonly firewallRule: FirewallRule | undefined;
  readonly networks: readonly ContainerNetwork[];
  readonly folders: readonly JudgedFolder[];
  readonly kept: readonly Kept[];
}
