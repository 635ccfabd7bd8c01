import { baseKubeletArgs, kubeadmArgs } from '../kubelet-flags/kubeadm-args.ts';
import { flagsEnvText } from '../kubelet-flags/flags-env.ts';
import { KUBELET_TARGET, type KubeletArg, type NodeOs, type Patch, type Taint } from '@fenestra/contracts/kube';
import {
  workerKubeletConfiguration,
  type WorkerKubeletConfiguration,
} from '../kubelet-configuration/worker-kubelet-configuration.ts';
import { type ClusterConfiguration } from '../kubelet-configuration/cluster-configuration.ts';
import type { WorkerLayout } from '@fenestra/platform';
import { parse } from 'yaml';
import * as z from 'zod/mini';

/** What a worker's kubelet is configured from. */
export interface KubeletSource {
  readonly layout: WorkerLayout;
  readonly os: NodeOs;
  readonly drive: string | undefined;
  readonly cluster: ClusterConfiguration;
  readonly kubeletText: string;
  /** The kubelet's version. */
  readonly version: string;
  readonly criSocket: string;
  readonly patches: readonly Patch[];
  readonly resolver: string | undefined;
  /** Whether a file is there that the configuration may name as its CA. */
  readonly hasFile: (path: string) => boolean;
}

/**
 * The kubelet's configuration. Where it would look for the cluster's CA in a place where there is none, it is led to the
 * place where a join puts it.
 */
export function kubeletConfiguration(source: KubeletSource): WorkerKubeletConfiguration {
  const { layout, kubeletText: text, hasFile, patches, ...rest } = source;
  const first = workerKubeletConfiguration({ ...rest, text, patches });
  if (first.clientCaFile === layout.caFile || hasFile(first.clientCaFile)) return first;
  const content = { authentication: { x509: { clientCAFile: layout.caFile } } };
  const led: Patch = { source: 'keadm', target: KUBELET_TARGET, type: 'merge', content };
  return workerKubeletConfiguration({ ...rest, text, patches: [...patches, led] });
}

/** Who a worker is and how it is told, for its flags. */
export interface FlagsSource {
  readonly version: string;
  readonly cluster: ClusterConfiguration;
  readonly os: NodeOs;
  readonly criSocket: string;
  readonly nodeName: string;
  readonly hostName: string;
  readonly taints: readonly Taint[];
  readonly extraArgs: readonly KubeletArg[];
}

/** The text of `kubeadm-flags.env`. */
export function flagsText({ cluster, extraArgs, ...worker }: FlagsSource): string {
  const { featureGates, imageRepository } = cluster;
  return flagsEnvText(kubeadmArgs(baseKubeletArgs({ ...worker, featureGates, imageRepository }), extraArgs));
}

const Known = z.object({
  failSwapOn: z.optional(z.boolean()),
  healthzBindAddress: z.optional(z.string()),
  healthzPort: z.optional(z.number()),
});

/** What a kubelet's configuration says that keadm has to know; `undefined` for a text that is none. */
export function readKubeletConfiguration(
  text: string,
): { readonly swapTolerated: boolean; readonly healthz: { address: string; port: number } } | undefined {
  try {
    const {
      failSwapOn,
      healthzBindAddress: address = '127.0.0.1',
      healthzPort: port = 10_248,
    } = Known.parse(parse(text));
    return { swapTolerated: failSwapOn === false, healthz: { address, port } };
  } catch {
    return undefined;
  }
}
