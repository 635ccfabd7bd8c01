import type { ContainerNetworks, Firewall, WorkerLayout } from '@fenestra/platform';
import type { NodeSession, OpenWorkerCluster, StepPorts } from '@fenestra/session';
import type { discoverCluster } from './discovery/discover-cluster.ts';

/** What the steps of a worker's life work with: more than those of an edge node's. */
export interface WorkerPorts extends StepPorts {
  readonly firewall: Firewall;
  readonly networks: ContainerNetworks;
  readonly openCluster: OpenWorkerCluster;
}

/** One machine, as a command about a plain Kubernetes worker works on it. */
export interface WorkerSession extends NodeSession {
  readonly worker: WorkerLayout;
  readonly ports: WorkerPorts;
  /** Finds a cluster; it comes with a client of Kubernetes, so it is loaded only when it is needed. */
  readonly discover: typeof discoverCluster;
  /** Tells the operator what is waited for while nothing is changed yet. */
  readonly say: (text: string) => void;
}
