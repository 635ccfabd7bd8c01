import type { StepPorts } from './step-ports.ts';
import { withClient } from './node-cloud.ts';

/** How to reach a cluster, and as whom: a kubeconfig in a file, or its text, which is secret. */
export type ClusterAccess = { readonly kubeconfigFile: string } | { readonly kubeconfig: string };

/** A worker as its cluster has it. */
export interface ClusterNode {
  /** The node's own word: `True`, `False`, or `Unknown` for one that has not reported yet. */
  readonly ready: 'True' | 'False' | 'Unknown';
  /** Why it is not ready, in the kubelet's words. */
  readonly readyReason: string;
  readonly readyMessage: string;
  readonly schedulable: boolean;
  /** `v1.33.1`; empty until the kubelet has reported. */
  readonly kubeletVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What has become of a request for a certificate. */
export type RequestedCertificate =
  | { readonly state: 'pending' }
  | { readonly state: 'issued'; readonly certificate: string }
  /** Denied by someone, or refused by the signer. */
  | { readonly state: 'denied' | 'failed'; readonly reason: string };

/** A plain Kubernetes cluster, as the life of one of its workers sees it. Failures are the catalogue errors of a Kubernetes API. */
export interface WorkerCluster {
  /** `https://host:port`. */
  readonly server: string;
  /** The API server's version: `v1.33.1`. */
  version(signal: AbortSignal): Promise<string>;
  /** What a ConfigMap holds; `undefined` if there is none. */
  configMap(
    namespace: string,
    name: string,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, string>> | undefined>;
  node(name: string, signal: AbortSignal): Promise<ClusterNode | undefined>;
  /** When the node last renewed its lease in the cluster, by its own clock; `undefined` if it never has. */
  lastSeen(node: string, signal: AbortSignal): Promise<Date | undefined>;
  /** Sets labels and annotations; `null` takes one away. */
  mark(
    node: string,
    marks: {
      readonly labels?: Readonly<Record<string, string | null>>;
      readonly annotations?: Readonly<Record<string, string | null>>;
    },
    signal: AbortSignal,
  ): Promise<void>;
  /** Asks for a node's client certificate for this private key (PEM, never sent); returns the request's name. */
  requestCertificate(node: string, privateKey: string, signal: AbortSignal): Promise<string>;
  certificate(name: string, signal: AbortSignal): Promise<RequestedCertificate>;
  close(): void;
}

/** Reaches a cluster. */
export type OpenWorkerCluster = (access: ClusterAccess) => Promise<WorkerCluster>;

/** Does something with a cluster, and releases it whatever happens. */
export async function withWorkerCluster<T>(
  { openCluster }: Pick<StepPorts, 'openCluster'>,
  access: ClusterAccess,
  work: (cluster: WorkerCluster) => Promise<T>,
): Promise<T> {
  return withClient('the cluster', openCluster && (async () => openCluster(access)), work);
}
