/** The fields of nodes, in the notation of `type-table.ts`. */
export const CORE_NODE_TYPES = `
AttachedVolume: devicePath! string, name! string
ConfigMapNodeConfigSource: kubeletConfigKey! string, name! string, namespace! string, resourceVersion string,
  uid string
ContainerImage: names string[], sizeBytes int64
DaemonEndpoint: Port! integer
Node: apiVersion string, kind string, metadata ObjectMeta, spec NodeSpec, status NodeStatus
NodeAddress: address! string, type! string
NodeAllocatableResourceClaimStatus: containers string[], resourceClaimName! string, resources! map<Quantity>
NodeCondition: status! string, lastHeartbeatTime Time, lastTransitionTime Time, message string, reason string,
  type! string
NodeConfigSource: configMap ConfigMapNodeConfigSource
NodeConfigStatus: active NodeConfigSource, assigned NodeConfigSource, error string, lastKnownGood NodeConfigSource
NodeDaemonEndpoints: kubeletEndpoint DaemonEndpoint
NodeFeatures: supplementalGroupsPolicy boolean
NodeRuntimeHandler: features NodeRuntimeHandlerFeatures, name string
NodeRuntimeHandlerFeatures: recursiveReadOnlyMounts boolean, userNamespaces boolean
NodeSpec: configSource NodeConfigSource, externalID string, podCIDR string, podCIDRs string[*], providerID string,
  taints Taint[], unschedulable boolean
NodeStatus: addresses NodeAddress[type], allocatable map<Quantity>, capacity map<Quantity>,
  conditions NodeCondition[type], config NodeConfigStatus, daemonEndpoints NodeDaemonEndpoints,
  declaredFeatures string[], features NodeFeatures, images ContainerImage[], nodeInfo NodeSystemInfo,
  phase string, runtimeHandlers NodeRuntimeHandler[], volumesAttached AttachedVolume[], volumesInUse string[]
NodeSwapStatus: capacity int64
NodeSystemInfo: architecture! string, bootID! string, containerRuntimeVersion! string, kernelVersion! string,
  kubeProxyVersion! string, kubeletVersion! string, machineID! string, operatingSystem! string, osImage! string,
  swap NodeSwapStatus, systemUUID! string
Taint: effect! string, key! string, timeAdded Time, value string
`;
