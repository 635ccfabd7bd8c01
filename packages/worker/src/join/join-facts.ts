import type { JoinConfiguration } from '@fenestra/contracts/kube';
import type { PrepareFacts } from '../prepare/gather-prepare-facts.ts';
import type { ProgramWishes } from '../prepare/wanted-programs.ts';

/** A text file that a join writes. */
export interface WrittenFile {
  readonly path: string;
  readonly content: string;
  readonly replacedSha256: string | undefined;
}

/** What makes a machine the worker of a cluster. It holds digests of secrets, and no secret. */
export interface NewMembership {
  readonly bootstrap: 'own' | 'kubelet';
  /** The cluster's CA, and the kubelet's configuration and flags. */
  readonly files: readonly WrittenFile[];
  /** `kubelet.conf`, which leads to the certificate and holds none. */
  readonly kubeconfig: WrittenFile;
  readonly bootstrapSha256: string;
  readonly replacedBootstrapSha256: string | undefined;
  readonly bootstrapSeconds: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What a join is planned from. */
export interface KubeJoinFacts extends PrepareFacts {
  readonly nodeName: string;
  /** `https://host:port`. */
  readonly server: string;
  readonly criSocket: string;
  /** `undefined` on a machine that is a worker of this cluster already: what is there is kept. */
  readonly joining: NewMembership | undefined;
  /** Folders that the kubelet fills by itself. */
  readonly claimed: readonly string[];
  readonly kubeletVersion: string;
  /** `undefined` where the kubelet does not say how it is. */
  readonly healthz: { readonly address: string; readonly port: number } | undefined;
  readonly waitReady: boolean;
  readonly limitSeconds: number;
  readonly settleSeconds: number;
}

/** The name under which a run keeps the kubeconfig that the cluster is asked with first. */
export const BOOTSTRAP_SECRET = 'bootstrap-kubeconfig';

/** Whether the service must not go on as it runs now. */
export function changesService({ joining, registered, service }: KubeJoinFacts): boolean {
  return joining !== undefined || !registered || service.state !== 'running';
}

/** What an operator wants of a join. The configuration holds tokens, so all of it is secret. */
export interface KubeJoinWishes {
  readonly configuration: JoinConfiguration;
  readonly programs: ProgramWishes | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly bootstrap: 'own' | 'kubelet';
  readonly waived: readonly string[];
  readonly madeAt: Date;
  /** How long the kubelet may take to prove itself, and how long it has to go on. */
  readonly limitSeconds: number;
  readonly settleSeconds: number;
  /** Whether the node has to be Ready, with a network plugin and all. */
  readonly waitReady: boolean;
}
