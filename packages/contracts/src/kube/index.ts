export { type NodeOs } from '../config/edgecore/edge-paths.ts';
export { problemsError, type Problem } from '../config/reading/problem.ts';
export { compareVersions } from '../release/version.ts';
export { parseClusterConfiguration, type ClusterConfiguration } from './cluster-configuration.ts';
export { criEndpoint, defaultCriEndpoint, knownCriEndpoints } from './cri-endpoint.ts';
export { bootstrapTokenText, parseBootstrapToken, type BootstrapToken } from './discovery/bootstrap-token.ts';
export { parsePin, pinnedCa, pinnedIn, pinOf, shareCa, type Pin } from './discovery/ca-pin.ts';
export {
  signatureKey,
  signClusterInfo,
  verifyClusterInfo,
  type ClusterInfoVerdict,
} from './discovery/cluster-info-signature.ts';
export { readClusterEntry, readClusterInfo, type ClusterEndpoint, type ClusterEntry } from './discovery/kubeconfig.ts';
export { kubeletKubeconfig, tokenKubeconfig, type CaSource, type TokenAccess } from './discovery/worker-kubeconfigs.ts';
export { discoveryLocation, type DiscoveryLocation } from './join-configuration/discovery-location.ts';
export { type Discovery, type JoinConfiguration, type JoinTimeouts } from './join-configuration/join-configuration.ts';
export { joinProblems, parseJoinConfiguration } from './join-configuration/parse-join-configuration.ts';
export { instanceConfigText, readInstanceConfig } from './kubelet-configuration/instance-config.ts';
export {
  workerKubeletConfiguration,
  type KubeletConfigurationSource,
  type WorkerKubeletConfiguration,
} from './kubelet-configuration/worker-kubelet-configuration.ts';
export { flagsEnvText, parseFlagsEnv } from './kubelet-flags/flags-env.ts';
export { baseKubeletArgs, kubeadmArgs, type WorkerArgs } from './kubelet-flags/kubeadm-args.ts';
export { argText, parseArg, type KubeletArg } from './kubelet-flags/kubelet-arg.ts';
export { kubeletCommandLine, type KubeletFiles, type KubeletStart } from './kubelet-flags/kubelet-command-line.ts';
export { retiredFlags } from './kubelet-flags/retired-flags.ts';
export { taintsText, type Taint } from './kubelet-flags/taint.ts';
export {
  flagsForVersion,
  recordedCriSocket,
  type CriSocketTraces,
  type FlagsTarget,
} from './kubelet-flags/upgrade-flags.ts';
export { nodeNameOf, requireNodeName, type NodeNames } from './node-name.ts';
export { applyPatches } from './patches/apply-patches.ts';
export {
  KUBELET_TARGET,
  readPatches,
  type Patch,
  type PatchFile,
  type PatchReading,
  type PatchType,
} from './patches/read-patches.ts';
export { isAtLeast, parseKubernetesVersion, type KubernetesVersion } from './version/kubernetes-version.ts';
export { pauseImage } from './version/pause-image.ts';
export { judgeSkew, type SkewVerdict } from './version/skew.ts';
export {
  CRI_SOCKET_ANNOTATION,
  versionTraits,
  type FeatureGates,
  type VersionTraits,
} from './version/version-traits.ts';
