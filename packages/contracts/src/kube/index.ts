export { type NodeOs } from '../config/edgecore/edge-paths.ts';
export { problemsError, type Problem } from '../config/reading/problem.ts';
export { compareVersions } from '../version.ts';

export { criEndpoint, defaultCriEndpoint } from './cri-endpoint.ts';
export { bootstrapTokenText, parseBootstrapToken, type BootstrapToken } from './discovery.ts';
export { parsePin, pinnedCa, pinnedIn, pinOf, shareCa } from './discovery.ts';

export { discoveryLocation } from './join-configuration/join-configuration.ts';
export { type Discovery, type JoinConfiguration, type JoinTimeouts } from './join-configuration/join-configuration.ts';
export { joinProblems, parseJoinConfiguration } from './join-configuration/parse-join-configuration.ts';

export { argText, parseArg, type KubeletArg } from './kubelet-flags.ts';

export { taintsText, type Taint, withTaints } from './kubelet-flags.ts';

export { nodeNameOf, requireNodeName } from './node-name.ts';
export { applyPatches } from './patches.ts';
export { KUBELET_TARGET, readPatches, type Patch, type PatchReading } from './patches.ts';
export { isAtLeast, parseKubernetesVersion } from './kubernetes-version.ts';
export { pauseImage } from './kubernetes-version.ts';

export { kubeYaml, tryReadYaml } from './kube-yaml.ts';
