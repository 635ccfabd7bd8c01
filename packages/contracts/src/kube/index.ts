export { type NodeOs } from '../config/edgecore/edge-paths.ts';
export { problemsError, type Problem } from '../config/reading/problem.ts';
export { compareVersions } from '../release/version.ts';

export { criEndpoint, defaultCriEndpoint, knownCriEndpoints } from './cri-endpoint.ts';
export { bootstrapTokenText, parseBootstrapToken, type BootstrapToken } from './discovery/bootstrap-token.ts';
export { parsePin, pinnedCa, pinnedIn, pinOf, shareCa, type Pin } from './discovery/ca-pin.ts';

export { discoveryLocation, type DiscoveryLocation } from './join-configuration/discovery-location.ts';
export { type Discovery, type JoinConfiguration, type JoinTimeouts } from './join-configuration/join-configuration.ts';
export { joinProblems, parseJoinConfiguration } from './join-configuration/parse-join-configuration.ts';

export { argText, parseArg, type KubeletArg } from './kubelet-flags/kubelet-arg.ts';

export { taintsText, type Taint, withTaints } from './kubelet-flags/taint.ts';

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

export { kubeYaml, tryReadYaml } from './kube-yaml.ts';
