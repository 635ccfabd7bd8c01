import type { KubernetesVersion } from './supported-version.ts';

/** How pods of Windows nodes reach each other: Flannel in one of its two ways, or a plugin that is installed otherwise. */
export type PodNetwork = 'flannel-overlay' | 'flannel-host-gateway' | 'none';

/** The networks that can be asked for, in the order of the help. */
export const POD_NETWORKS: readonly PodNetwork[] = ['flannel-overlay', 'flannel-host-gateway', 'none'];

/** The programs that run from an image. */
export type ImageName = 'kube-proxy' | 'flannel';

/** What is wanted, already checked. */
export interface ManifestRequest {
  readonly version: KubernetesVersion;
  readonly network: PodNetwork;
  /** The HNS network that kube-proxy serves. */
  readonly hnsNetwork: string;
  readonly images: Readonly<Record<ImageName, string>>;
  readonly serviceSubnet: string;
  readonly podSubnet: string;
  /** Where nodes reach the API server without any service: `host:port`. */
  readonly apiServer: string;
  /** Whether to keep everybody else from the host. */
  readonly policies: boolean;
  /** The historic way, by a program of the host that runs what containers ask for. */
  readonly wins: boolean;
}
