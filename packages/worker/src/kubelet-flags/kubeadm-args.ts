import {
  defaultCriEndpoint,
  pauseImage,
  argText,
  type KubeletArg,
  taintsText,
  withTaints,
  type Taint,
} from '@fenestra/contracts/kube';
import type { NodeOs } from '@fenestra/contracts';
import { versionTraits, type FeatureGates } from '../version/version-traits.ts';

/** What a worker's own arguments come from. */
export interface WorkerArgs {
  /** The kubelet's version. */
  readonly version: string;
  readonly featureGates?: FeatureGates;
  readonly os: NodeOs;
  readonly criSocket?: string | undefined;
  readonly nodeName: string;
  readonly hostName: string;
  readonly taints: readonly Taint[];
  readonly imageRepository: string;
}

/** The arguments kubeadm gives a worker of its own accord, sorted by name. */
export function baseKubeletArgs(worker: WorkerArgs): readonly KubeletArg[] {
  const traits = versionTraits(worker.version, worker.featureGates);
  const endpoint = worker.criSocket ?? defaultCriEndpoint(worker.os);
  const args: Readonly<Record<string, string | false>> = {
    'container-runtime': traits.remoteRuntimeFlag && 'remote',
    'container-runtime-endpoint': !traits.nodeLocalCriSocket && endpoint,
    'hostname-override': worker.nodeName !== worker.hostName.trim().toLowerCase() && worker.nodeName,
    'pod-infra-container-image': traits.podInfraImage && pauseImage(worker.version, worker.imageRepository),
    'register-with-taints': worker.taints.length > 0 && taintsText(worker.taints),
  };
  return Object.entries(args).flatMap(([name, value]) => (value === false ? [] : [{ name, value }]));
}

/**
 * The arguments for `kubeadm-flags.env`: kubeadm's own sorted by name, without those that the operator gives, then the
 * operator's in their order. Taints are the exception: the operator's join kubeadm's, since a taint that is lost lets pods
 * onto a node that is not ready for them.
 */
export function kubeadmArgs(base: readonly KubeletArg[], extra: readonly KubeletArg[]): readonly string[] {
  const given = new Set(extra.map(({ name }) => name));
  const own = base.filter(({ name }) => !given.has(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const taints = base.find(({ name }) => name === TAINTS)?.value ?? '';
  const lastTaints = extra.findLast(({ name }) => name === TAINTS);
  const wished = extra.map((arg) => (arg === lastTaints ? { ...arg, value: withTaints(arg.value, taints) } : arg));
  return [...own, ...wished].map(argText);
}

const TAINTS = 'register-with-taints';
