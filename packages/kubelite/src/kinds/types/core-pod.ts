/** The fields of pods and where they may run, in the notation of `type-table.ts`. */
export const CORE_POD_TYPES = `
Affinity: nodeAffinity NodeAffinity, podAffinity PodAffinity, podAntiAffinity PodAntiAffinity
HostAlias: hostnames string[], ip! string
HostIP: ip! string
LocalObjectReference: name string
NodeAffinity: preferredDuringSchedulingIgnoredDuringExecution PreferredSchedulingTerm[],
  requiredDuringSchedulingIgnoredDuringExecution NodeSelector
NodeSelector: nodeSelectorTerms! NodeSelectorTerm[]
NodeSelectorRequirement: key! string, operator! string, values string[]
NodeSelectorTerm: matchExpressions NodeSelectorRequirement[], matchFields NodeSelectorRequirement[]
ObjectReference: apiVersion string, kind string, fieldPath string, name string, namespace string,
  resourceVersion string, uid string
Pod: apiVersion string, kind string, metadata ObjectMeta, spec PodSpec, status PodStatus
PodAffinity: preferredDuringSchedulingIgnoredDuringExecution WeightedPodAffinityTerm[],
  requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[]
PodAffinityTerm: labelSelector LabelSelector, matchLabelKeys string[], mismatchLabelKeys string[],
  namespaceSelector LabelSelector, namespaces string[], topologyKey! string
PodAntiAffinity: preferredDuringSchedulingIgnoredDuringExecution WeightedPodAffinityTerm[],
  requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[]
PodCondition: status! string, lastProbeTime Time, lastTransitionTime Time, message string,
  observedGeneration int64, reason string, type! string
PodDNSConfig: nameservers string[], options PodDNSConfigOption[], searches string[]
PodDNSConfigOption: name string, value string
PodExtendedResourceClaimStatus: requestMappings! ContainerExtendedResourceRequest[], resourceClaimName! string
PodIP: ip! string
PodOS: name! string
PodReadinessGate: conditionType! string
PodResourceClaim: name! string, resourceClaimName string, resourceClaimTemplateName string
PodResourceClaimStatus: name! string, resourceClaimName string
PodSchedulingGate: name! string
PodSchedulingGroup: podGroupName string
PodSecurityContext: appArmorProfile AppArmorProfile, fsGroup int64, fsGroupChangePolicy string, runAsGroup int64,
  runAsNonRoot boolean, runAsUser int64, seLinuxChangePolicy string, seLinuxOptions SELinuxOptions,
  seccompProfile SeccompProfile, supplementalGroups int64[], supplementalGroupsPolicy string, sysctls Sysctl[],
  windowsOptions WindowsSecurityContextOptions
PodSpec: activeDeadlineSeconds int64, affinity Affinity, automountServiceAccountToken boolean,
  containers! Container[name], dnsConfig PodDNSConfig, dnsPolicy string, enableServiceLinks boolean,
  ephemeralContainers EphemeralContainer[name], hostAliases HostAlias[ip], hostIPC boolean, hostNetwork boolean,
  hostPID boolean, hostUsers boolean, hostname string, hostnameOverride string,
  imagePullSecrets LocalObjectReference[name], initContainers Container[name], nodeName string,
  nodeSelector map<string>, os PodOS, overhead map<Quantity>, preemptionPolicy string, priority integer,
  priorityClassName string, readinessGates PodReadinessGate[], resourceClaims PodResourceClaim[name],
  resources ResourceRequirements, restartPolicy string, runtimeClassName string, schedulerName string,
  schedulingGates PodSchedulingGate[name], schedulingGroup PodSchedulingGroup, securityContext PodSecurityContext,
  serviceAccount string, serviceAccountName string, setHostnameAsFQDN boolean, shareProcessNamespace boolean,
  subdomain string, terminationGracePeriodSeconds int64, tolerations Toleration[],
  topologySpreadConstraints TopologySpreadConstraint[topologyKey+whenUnsatisfiable], volumes Volume[name]
PodStatus: allocatedResources map<Quantity>, conditions PodCondition[type], containerStatuses ContainerStatus[],
  ephemeralContainerStatuses ContainerStatus[], extendedResourceClaimStatus PodExtendedResourceClaimStatus,
  hostIP string, hostIPs HostIP[], initContainerStatuses ContainerStatus[], message string,
  nodeAllocatableResourceClaimStatuses NodeAllocatableResourceClaimStatus[], nominatedNodeName string,
  observedGeneration int64, phase string, podIP string, podIPs PodIP[ip], qosClass string, reason string,
  resize string, resourceClaimStatuses PodResourceClaimStatus[name], resources ResourceRequirements,
  startTime Time
PreferredSchedulingTerm: preference! NodeSelectorTerm, weight! integer
Sysctl: name! string, value! string
Toleration: effect string, key string, operator string, tolerationSeconds int64, value string
TopologySpreadConstraint: labelSelector LabelSelector, matchLabelKeys string[], maxSkew! integer,
  minDomains integer, nodeAffinityPolicy string, nodeTaintsPolicy string, topologyKey! string,
  whenUnsatisfiable! string
WeightedPodAffinityTerm: podAffinityTerm! PodAffinityTerm, weight! integer
`;
