import type { NodeOs } from '@fenestra/contracts';
import {
  argText,
  defaultCriEndpoint,
  type KubeletArg,
  parseArg,
  pauseImage,
  type Taint,
  taintsText,
  withTaints,
} from '@fenestra/contracts/kube';
import { readInstanceConfig } from '../kubelet-configuration/worker-kubelet-configuration.ts';
import { CRI_SOCKET_ANNOTATION, type FeatureGates, retiredFlags, versionTraits } from '../version-traits.ts';

/** What a worker's own arguments come from. */
export interface WorkerArgs {
  readonly version: string;
  readonly featureGates?: FeatureGates;
  readonly os: NodeOs;
  readonly criSocket?: string | undefined;
  readonly nodeName: string;
  readonly hostName: string;
  readonly taints: readonly Taint[];
  readonly imageRepository: string;
}

/** The arguments kubeadm gives a worker by default, sorted by name. */
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

interface CriSocketTraces {
  readonly flags: readonly string[];
  readonly instanceConfig?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>>;
}

const ENDPOINT = 'container-runtime-endpoint';

/** The container runtime a worker has: by its flags, which the kubelet obeys first, its own file, or its Node's annotation. */
export function recordedCriSocket({
  flags,
  instanceConfig = '',
  annotations = {},
}: CriSocketTraces): string | undefined {
  const flag = flags.map(parseArg).findLast(({ name, value }) => name === ENDPOINT && value !== '');
  return flag?.value ?? readInstanceConfig(instanceConfig) ?? (annotations[CRI_SOCKET_ANNOTATION] || undefined);
}

interface FlagsTarget {
  /** The kubelet's version from now on, newer or older than the one the flags are from. */
  readonly version: string;
  readonly featureGates?: FeatureGates;
  readonly criSocket: string;
}

/** The flags for another version: without what it does not know, and with the runtime where it looks for it. */
export function flagsForVersion(flags: readonly string[], target: FlagsTarget): readonly string[] {
  const traits = versionTraits(target.version, target.featureGates);
  const retired = new Set(retiredFlags(flags, target.version));
  const kept = flags.filter((flag) => !retired.has(flag));
  if (traits.nodeLocalCriSocket) return kept.filter((flag) => parseArg(flag).name !== ENDPOINT);
  const given = new Set(kept.map((flag) => parseArg(flag).name));
  const wanted = [
    ...(traits.remoteRuntimeFlag ? [{ name: 'container-runtime', value: 'remote' }] : []),
    { name: ENDPOINT, value: target.criSocket },
  ];
  return [...wanted.filter(({ name }) => !given.has(name)).map(argText), ...kept];
}
