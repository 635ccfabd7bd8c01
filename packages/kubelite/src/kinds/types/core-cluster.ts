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

/** The fields of services, configuration, namespaces and events, in the notation of `type-table.ts`. */
export const CORE_SERVICE_TYPES = `
Binding: apiVersion string, kind string, metadata ObjectMeta, target! ObjectReference
ClientIPConfig: timeoutSeconds integer
ConfigMap: apiVersion string, kind string, metadata ObjectMeta, binaryData map<bytes>, data map<string>,
  immutable boolean
EndpointAddress: hostname string, ip! string, nodeName string, targetRef ObjectReference
EndpointPort: appProtocol string, name string, port! integer, protocol string
EndpointSubset: addresses EndpointAddress[], notReadyAddresses EndpointAddress[], ports EndpointPort[]
Endpoints: apiVersion string, kind string, metadata ObjectMeta, subsets EndpointSubset[]
Event: apiVersion string, kind string, metadata! ObjectMeta, action string, count integer, eventTime MicroTime,
  firstTimestamp Time, involvedObject! ObjectReference, lastTimestamp Time, message string, reason string,
  related ObjectReference, reportingComponent string, reportingInstance string, series EventSeries,
  source EventSource, type string
EventSeries: count integer, lastObservedTime MicroTime
EventSource: component string, host string
LoadBalancerIngress: hostname string, ip string, ipMode string, ports PortStatus[]
LoadBalancerStatus: ingress LoadBalancerIngress[]
Namespace: apiVersion string, kind string, metadata ObjectMeta, spec NamespaceSpec, status NamespaceStatus
NamespaceCondition: status! string, lastTransitionTime Time, message string, reason string, type! string
NamespaceSpec: finalizers string[]
NamespaceStatus: conditions NamespaceCondition[type], phase string
PortStatus: error string, port! integer, protocol! string
Secret: apiVersion string, kind string, metadata ObjectMeta, data map<bytes>, immutable boolean,
  stringData map<string>, type string
Service: apiVersion string, kind string, metadata ObjectMeta, spec ServiceSpec, status ServiceStatus
ServiceAccount: apiVersion string, kind string, metadata ObjectMeta, automountServiceAccountToken boolean,
  imagePullSecrets LocalObjectReference[], secrets ObjectReference[name]
ServicePort: appProtocol string, name string, nodePort integer, port! integer, protocol string,
  targetPort IntOrString
ServiceSpec: allocateLoadBalancerNodePorts boolean, clusterIP string, clusterIPs string[], externalIPs string[],
  externalName string, externalTrafficPolicy string, healthCheckNodePort integer, internalTrafficPolicy string,
  ipFamilies string[], ipFamilyPolicy string, loadBalancerClass string, loadBalancerIP string,
  loadBalancerSourceRanges string[], ports ServicePort[port+protocol], publishNotReadyAddresses boolean,
  selector map<string>, sessionAffinity string, sessionAffinityConfig SessionAffinityConfig,
  trafficDistribution string, type string
ServiceStatus: conditions Condition[type], loadBalancer LoadBalancerStatus
SessionAffinityConfig: clientIP ClientIPConfig
`;
