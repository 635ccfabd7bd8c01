import type { KubeletArg } from '../kubelet-flags/kubelet-arg.ts';
import type { Taint } from '../kubelet-flags/taint.ts';

/** How to find the cluster and to know that it is the right one. */
export type Discovery =
  | {
      readonly kind: 'token';
      /** Secret. */
      readonly token: string;
      /** `host:port`. */
      readonly endpoint: string;
      /** Hashes of the CA's public key: `sha256:…`. Empty only if the operator asked to do without. */
      readonly caHashes: readonly string[];
      readonly skipCaVerification: boolean;
    }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string };

/** How long to wait for what, in milliseconds. */
export interface JoinTimeouts {
  readonly kubeletHealthCheck: number;
  readonly kubernetesApiCall: number;
  readonly tlsBootstrap: number;
  readonly discovery: number;
}

/** What a `JoinConfiguration` of any version says of a worker, in one form. */
export interface JoinConfiguration {
  readonly discovery: Discovery;
  /** The bearer token of the TLS bootstrap; secret. Where nothing else is said, the one of the discovery. */
  readonly tlsBootstrapToken: string | undefined;
  readonly caCertPath: string | undefined;
  readonly nodeName: string | undefined;
  /** With its scheme. */
  readonly criSocket: string | undefined;
  readonly taints: readonly Taint[];
  readonly kubeletExtraArgs: readonly KubeletArg[];
  readonly ignorePreflightErrors: readonly string[];
  readonly skipPhases: readonly string[];
  readonly patchesFolder: string | undefined;
  readonly dryRun: boolean;
  readonly timeouts: JoinTimeouts;
  /** What the file says and nothing follows from, to be told once. */
  readonly warnings: readonly string[];
}
