/** The core group but for pods. In the notation of `read-fields.ts`. */
export const CORE_FIELDS = `
AttachedVolume: name!=1 string, devicePath!=2 string
Binding: metadata=1 ObjectMeta, target=2 ObjectReference
ClientIPConfig: timeoutSeconds!=1 int
ConfigMap: metadata=1 ObjectMeta, immutable!=4 bool, data=2 map<string>, binaryData=3 map<bytes>
ConfigMapNodeConfigSource: namespace!=1 string, name!=2 string, uid=3 string, resourceVersion=4 string,
  kubeletConfigKey!=5 string
ContainerImage: names=1 string[], sizeBytes=2 int
DaemonEndpoint: Port!=1 int
EndpointAddress: ip!=1 string, hostname=3 string, nodeName!=4 string, targetRef=2 ObjectReference
EndpointPort: name=1 string, port!=2 int, protocol=3 string, appProtocol!=4 string
EndpointSubset: addresses=1 EndpointAddress[], notReadyAddresses=2 EndpointAddress[], ports=3 EndpointPort[]
Endpoints: metadata=1 ObjectMeta, subsets=2 EndpointSubset[]
Event: metadata=1 ObjectMeta, involvedObject=2 ObjectReference, reason=3 string, message=4 string, source=5
  EventSource, firstTimestamp=6 Time, lastTimestamp=7 Time, count=8 int, type=9 string, eventTime=10 MicroTime,
  series=11 EventSeries, action=12 string, related=13 ObjectReference, reportingComponent!=14 string,
  reportingInstance!=15 string
EventSeries: count=1 int, lastObservedTime=2 MicroTime
EventSource: component=1 string, host=2 string
LoadBalancerIngress: ip=1 string, hostname=2 string, ports=4 PortStatus[], ipMode!=3 string
LoadBalancerStatus: ingress=1 LoadBalancerIngress[]
Namespace: metadata=1 ObjectMeta, spec=2 NamespaceSpec, status=3 NamespaceStatus
NamespaceCondition: type!=1 string, status!=2 string, lastTransitionTime=4 Time, reason=5 string, message=6 string
NamespaceSpec: finalizers=1 string[]
NamespaceStatus: phase=1 string, conditions=2 NamespaceCondition[]
Node: metadata=1 ObjectMeta, spec=2 NodeSpec, status=3 NodeStatus
NodeAddress: type!=1 string, address!=2 string
NodeCondition: type!=1 string, status!=2 string, lastHeartbeatTime=3 Time, lastTransitionTime=4 Time, reason=5
  string, message=6 string
NodeConfigSource: configMap=2 ConfigMapNodeConfigSource
NodeConfigStatus: assigned=1 NodeConfigSource, active=2 NodeConfigSource, lastKnownGood=3 NodeConfigSource, error=4
  string
NodeDaemonEndpoints: kubeletEndpoint=1 DaemonEndpoint
NodeFeatures: supplementalGroupsPolicy!=1 bool
NodeRuntimeHandler: name=1 string, features=2 NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures: recursiveReadOnlyMounts!=1 bool, userNamespaces!=2 bool
NodeSpec: podCIDR=1 string, podCIDRs=7 string[], providerID=3 string, unschedulable=4 bool, taints=5 Taint[],
  configSource=6 NodeConfigSource, externalID=2 string
NodeStatus: capacity=1 map<Quantity>, allocatable=2 map<Quantity>, phase=3 string, conditions=4 NodeCondition[],
  addresses=5 NodeAddress[], daemonEndpoints=6 NodeDaemonEndpoints, nodeInfo=7 NodeSystemInfo, images=8
  ContainerImage[], volumesInUse=9 string[], volumesAttached=10 AttachedVolume[], config=11 NodeConfigStatus,
  runtimeHandlers=12 NodeRuntimeHandler[], features=13 NodeFeatures
NodeSwapStatus: capacity!=1 int
NodeSystemInfo: machineID!=1 string, systemUUID!=2 string, bootID!=3 string, kernelVersion!=4 string, osImage!=5
  string, containerRuntimeVersion!=6 string, kubeletVersion!=7 string, kubeProxyVersion!=8 string,
  operatingSystem!=9 string, architecture!=10 string, swap=11 NodeSwapStatus
ObjectReference: kind=1 string, namespace=2 string, name=3 string, uid=4 string, apiVersion=5 string,
  resourceVersion=6 string, fieldPath=7 string
PortStatus: port!=1 int, protocol!=2 string, error!=3 string
Secret: metadata=1 ObjectMeta, immutable!=5 bool, data=2 map<bytes>, stringData=4 map<string>, type=3 string
Service: metadata=1 ObjectMeta, spec=2 ServiceSpec, status=3 ServiceStatus
ServiceAccount: metadata=1 ObjectMeta, secrets=2 ObjectReference[], imagePullSecrets=3 LocalObjectReference[],
  automountServiceAccountToken!=4 bool
ServicePort: name=1 string, protocol=2 string, appProtocol!=6 string, port!=3 int, targetPort=4 IntOrString,
  nodePort=5 int
ServiceSpec: ports=1 ServicePort[], selector=2 map<string>, clusterIP=3 string, clusterIPs=18 string[], type=4
  string, externalIPs=5 string[], sessionAffinity=7 string, loadBalancerIP=8 string, loadBalancerSourceRanges=9
  string[], externalName=10 string, externalTrafficPolicy=11 string, healthCheckNodePort=12 int,
  publishNotReadyAddresses=13 bool, sessionAffinityConfig=14 SessionAffinityConfig, topologyKeys=16 string[],
  ipFamilies=19 string[], ipFamilyPolicy!=17 string, allocateLoadBalancerNodePorts!=20 bool, loadBalancerClass!=21
  string, internalTrafficPolicy!=22 string, trafficDistribution!=23 string
ServiceStatus: loadBalancer=1 LoadBalancerStatus, conditions=2 Condition[]
SessionAffinityConfig: clientIP=1 ClientIPConfig
Taint: key!=1 string, value=2 string, effect!=3 string, timeAdded=4 Time
`;
