import { existsSync } from 'node:fs';
import { KUBELET_TARGET, type KubeletArg, type Patch } from '@fenestra/contracts/kube';
import { pathExists, type WorkerLayout } from '@fenestra/platform';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import type { ClusterConfiguration } from '../kubelet-configuration/cluster-configuration.ts';
import {
  type KubeletConfigurationSource,
  workerKubeletConfiguration,
  type WorkerKubeletConfiguration,
} from '../kubelet-configuration/worker-kubelet-configuration.ts';
import { flagsEnvText } from '../kubelet-flags/flags-env.ts';
import { baseKubeletArgs, kubeadmArgs, type WorkerArgs } from '../kubelet-flags/kubeadm-args.ts';
import type { WorkerMachine } from '../machine/gather-machine.ts';
import type { WorkerSession } from '../worker-session.ts';
import type { ClusterSettings } from './find-cluster.ts';

/** What a worker's kubelet is configured from. */
export interface KubeletSource extends KubeletConfigurationSource {
  readonly layout: WorkerLayout;
  /** Whether a file is there that the configuration may name as its CA. */
  readonly hasFile: (path: string) => boolean;
}

/** The resolver's file that systemd keeps, which knows the real name servers. */
const SYSTEMD_RESOLVER = '/run/systemd/resolve/resolv.conf';

/** The kubelet's configuration for this machine, from what the cluster has for all. */
export async function configureKubelet(
  { ports, workerFacts }: WorkerSession,
  { machine, settings, ...kubelet }: KubeletWishes,
): Promise<WorkerKubeletConfiguration> {
  const facts = await workerFacts();
  const onLinux = facts.os === 'linux' && (await ports.services.status('systemd-resolved')).state === 'running';
  return kubeletConfiguration({
    ...kubelet,
    text: settings.kubeletText,
    os: machine.host.os,
    drive: facts.os === 'windows' ? facts.systemDrive : undefined,
    resolver: onLinux && (await pathExists(SYSTEMD_RESOLVER)) ? SYSTEMD_RESOLVER : undefined,
    cluster: settings.configuration,
    layout: machine.layout,
    hasFile: existsSync,
  });
}

/** What a kubelet is configured with on a machine. */
interface KubeletWishes extends Pick<KubeletConfigurationSource, 'version' | 'criSocket' | 'patches'> {
  readonly machine: Pick<WorkerMachine, 'layout' | 'host'>;
  readonly settings: ClusterSettings;
}

/** The kubelet's configuration. Where there is no CA in its place, it names the place where a join puts it. */
export function kubeletConfiguration({ layout, hasFile, ...source }: KubeletSource): WorkerKubeletConfiguration {
  const first = workerKubeletConfiguration(source);
  if (first.clientCaFile === layout.caFile || hasFile(first.clientCaFile)) return first;
  const content = { authentication: { x509: { clientCAFile: layout.caFile } } };
  const led: Patch = { source: 'keadm', target: KUBELET_TARGET, type: 'merge', content };
  return workerKubeletConfiguration({ ...source, patches: [...(source.patches ?? []), led] });
}

/** Who a worker is, for its flags. */
export interface FlagsSource extends Omit<WorkerArgs, 'featureGates' | 'imageRepository'> {
  readonly cluster: ClusterConfiguration;
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
