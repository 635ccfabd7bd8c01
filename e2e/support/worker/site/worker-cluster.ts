import type { KubeApi } from '@fenestra/kube-api';
import type { TokenWishes } from '../../beds/kubernetes/kubeadm-cluster.ts';

/** A cluster that nodes can join the kubeadm way, real or simulated. */
export interface TestCluster {
  /** `127.0.0.1:PORT`, the same for every node. */
  readonly endpoint: string;
  /** `sha256:…` of its authority's public key. */
  readonly pin: string;
  /** The administrator's kubeconfig, a file of this machine. */
  readonly kubeconfig: string;
  /** The test's own access, as administrator. */
  readonly api: KubeApi;
  makeToken(wishes?: TokenWishes): Promise<string>;
  stop(): Promise<void>;
}

/** The port in `host:port`. */
export function portOf(endpoint: string): number {
  return Number(endpoint.split(':').at(-1));
}
