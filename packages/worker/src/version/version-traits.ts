import { isAtLeast, parseKubernetesVersion } from '@fenestra/contracts/kube';

/** Feature gates by name, as a cluster's configuration sets them. */
export type FeatureGates = Readonly<Record<string, boolean>>;

/** What changes for a worker from one minor version of Kubernetes to another. */
export interface VersionTraits {
  /** The runtime's endpoint is in `instance-config.yaml` and `config.yaml`, not among the flags. */
  readonly nodeLocalCriSocket: boolean;
  /** The Node carries the runtime's endpoint as an annotation: where it is not in a file of the machine. */
  readonly criSocketAnnotation: boolean;
  /** The kubelet knows `--pod-infra-container-image`. */
  readonly podInfraImage: boolean;
  /** The kubelet must be told by `--container-runtime=remote` that its runtime is none of Docker. */
  readonly remoteRuntimeFlag: boolean;
  /** A Windows kubelet refuses its own defaults of what is about control groups. */
  readonly windowsRefusesCgroups: boolean;
  /** The configuration takes systemd's control groups where the cluster does not say. */
  readonly systemdCgroups: boolean;
  /** The ConfigMaps the kubelet's configuration may be in, in the order to look. */
  readonly kubeletConfigMaps: readonly string[];
}

/** The annotation kubeadm keeps the runtime's endpoint in. */
export const CRI_SOCKET_ANNOTATION = 'kubeadm.alpha.kubernetes.io/cri-socket';

/** What a version does. The gates are the cluster's: they can switch on early, or off until it is settled, what a version brings. */
export function versionTraits(version: string, gates: FeatureGates = {}): VersionTraits {
  const nodeLocalCriSocket = hasNodeLocalCriSocket(version, gates);
  return {
    nodeLocalCriSocket,
    criSocketAnnotation: !nodeLocalCriSocket,
    podInfraImage: !isAtLeast(version, 35),
    remoteRuntimeFlag: !isAtLeast(version, 24),
    windowsRefusesCgroups: !isAtLeast(version, 30),
    systemdCgroups: isAtLeast(version, 22),
    kubeletConfigMaps: kubeletConfigMaps(version),
  };
}

/** Alpha since 1.32, on by default since 1.34, no longer to be switched off since 1.36. */
function hasNodeLocalCriSocket(version: string, gates: FeatureGates): boolean {
  if (!isAtLeast(version, 32)) return false;
  return isAtLeast(version, 36) || (gates['NodeLocalCRISocket'] ?? isAtLeast(version, 34));
}

/** Up to 1.22 the ConfigMap has the minor version in its name, 1.23 may have either. */
function kubeletConfigMaps(version: string): readonly string[] {
  const { major, minor } = parseKubernetesVersion(version);
  const versioned = `kubelet-config-${major}.${minor}`;
  if (isAtLeast(version, 24)) return ['kubelet-config'];
  return isAtLeast(version, 23) ? ['kubelet-config', versioned] : [versioned, 'kubelet-config'];
}
