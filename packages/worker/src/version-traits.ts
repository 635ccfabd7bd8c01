import { isAtLeast, parseArg, parseKubernetesVersion } from '@fenestra/contracts/kube';

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
  /** The kubelet must learn by `--container-runtime=remote` that its runtime is none of Docker. */
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

type SkewVerdict = { readonly state: 'fits' } | { readonly state: 'too-new' | 'too-old'; readonly reason: string };

/**
 * Judges a kubelet's version against the API server's: never newer, and at most three minor versions older (two before
 * 1.25). Patches do not matter. See https://kubernetes.io/releases/version-skew-policy/.
 */
export function judgeSkew({
  kubelet,
  apiServer,
}: {
  readonly kubelet: string;
  readonly apiServer: string;
}): SkewVerdict {
  const [ours, theirs] = [parseKubernetesVersion(kubelet), parseKubernetesVersion(apiServer)];
  const behind = ours.major === theirs.major ? theirs.minor - ours.minor : (theirs.major - ours.major) * ANOTHER_MAJOR;
  if (behind < 0) return { state: 'too-new', reason: `kubelet ${ours.text} is newer than API server ${theirs.text}` };
  const most = ours.major === 1 && ours.minor < 25 ? 2 : 3;
  if (behind <= most) return { state: 'fits' };
  const reason = `kubelet ${ours.text} is more than ${most} minor versions older than API server ${theirs.text}`;
  return { state: 'too-old', reason };
}

const ANOTHER_MAJOR = 1000;

/** The minor version that no longer knows a flag: a kubelet that meets one it does not know ends at once. */
const RETIRED: ReadonlyMap<string, number> = new Map([
  ['cni-bin-dir', 24],
  ['cni-cache-dir', 24],
  ['cni-conf-dir', 24],
  ['docker-endpoint', 24],
  ['dynamic-config-dir', 24],
  ['experimental-dockershim-root-directory', 24],
  ['image-pull-progress-deadline', 24],
  ['network-plugin', 24],
  ['network-plugin-mtu', 24],
  ['add-dir-header', 26],
  ['alsologtostderr', 26],
  ['log-backtrace-at', 26],
  ['log-dir', 26],
  ['log-file', 26],
  ['log-file-max-size', 26],
  ['logtostderr', 26],
  ['one-output', 26],
  ['skip-headers', 26],
  ['skip-log-headers', 26],
  ['stderrthreshold', 26],
  ['container-runtime', 27],
  ['pod-infra-container-image', 35],
]);

/** Of a kubelet's arguments, those that its version no longer knows, in their order. */
export function retiredFlags(flags: readonly string[], version: string): readonly string[] {
  return flags.filter((flag) => {
    const minor = RETIRED.get(parseArg(flag).name);
    return minor !== undefined && isAtLeast(version, minor);
  });
}
