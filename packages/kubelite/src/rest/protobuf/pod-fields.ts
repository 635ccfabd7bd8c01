/** Pods and everything in them. In the notation of `read-fields.ts`. */
export const POD_FIELDS = `
Affinity: nodeAffinity=1 NodeAffinity, podAffinity=2 PodAffinity, podAntiAffinity=3 PodAntiAffinity
AppArmorProfile: type!=1 string, localhostProfile!=2 string
CSIVolumeSource: driver!=1 string, readOnly!=2 bool, fsType!=3 string, volumeAttributes=4 map<string>,
  nodePublishSecretRef=5 LocalObjectReference
Capabilities: add=1 string[], drop=2 string[]
ConfigMapEnvSource: localObjectReference^=1 LocalObjectReference, optional!=2 bool
ConfigMapKeySelector: localObjectReference^=1 LocalObjectReference, key!=2 string, optional!=3 bool
ConfigMapProjection: localObjectReference^=1 LocalObjectReference, items=2 KeyToPath[], optional!=4 bool
ConfigMapVolumeSource: localObjectReference^=1 LocalObjectReference, items=2 KeyToPath[], defaultMode!=3 int,
  optional!=4 bool
Container: name!=1 string, image=2 string, command=3 string[], args=4 string[], workingDir=5 string, ports=6
  ContainerPort[], envFrom=19 EnvFromSource[], env=7 EnvVar[], resources=8 ResourceRequirements, volumeMounts=9
  VolumeMount[], volumeDevices=21 VolumeDevice[], livenessProbe=10 Probe, readinessProbe=11 Probe, startupProbe=22
  Probe, lifecycle=12 Lifecycle, terminationMessagePath=13 string, terminationMessagePolicy=20 string,
  imagePullPolicy=14 string, securityContext=15 SecurityContext, stdin=16 bool, stdinOnce=17 bool, tty=18 bool,
  resizePolicy=23 ContainerResizePolicy[], restartPolicy!=24 string
ContainerPort: name=1 string, hostPort=2 int, containerPort!=3 int, protocol=4 string, hostIP=5 string
ContainerResizePolicy: resourceName!=1 string, restartPolicy!=2 string
ContainerState: waiting=1 ContainerStateWaiting, running=2 ContainerStateRunning, terminated=3
  ContainerStateTerminated
ContainerStateRunning: startedAt=1 Time
ContainerStateTerminated: exitCode!=1 int, signal=2 int, reason=3 string, message=4 string, startedAt=5 Time,
  finishedAt=6 Time, containerID=7 string
ContainerStateWaiting: reason=1 string, message=2 string
ContainerStatus: name!=1 string, state=2 ContainerState, lastState=3 ContainerState, ready!=4 bool, restartCount!=5
  int, image!=6 string, imageID!=7 string, containerID=8 string, started!=9 bool
DownwardAPIProjection: items=1 DownwardAPIVolumeFile[]
DownwardAPIVolumeFile: path!=1 string, fieldRef=2 ObjectFieldSelector, resourceFieldRef=3 ResourceFieldSelector,
  mode!=4 int
DownwardAPIVolumeSource: items=1 DownwardAPIVolumeFile[], defaultMode!=2 int
EmptyDirVolumeSource: medium=1 string, sizeLimit=2 Quantity
EnvFromSource: prefix=1 string, configMapRef=2 ConfigMapEnvSource, secretRef=3 SecretEnvSource
EnvVar: name!=1 string, value=2 string, valueFrom=3 EnvVarSource
EnvVarSource: fieldRef=1 ObjectFieldSelector, resourceFieldRef=2 ResourceFieldSelector, configMapKeyRef=3
  ConfigMapKeySelector, secretKeyRef=4 SecretKeySelector
EphemeralContainer: ephemeralContainerCommon^=1 Container, targetContainerName=2 string
EphemeralVolumeSource: volumeClaimTemplate=1 PersistentVolumeClaimTemplate, readOnly=2 bool
ExecAction: command=1 string[]
GRPCAction: port!=1 int, service!=2 string
HTTPGetAction: path=1 string, port=2 IntOrString, host=3 string, scheme=4 string, httpHeaders=5 HTTPHeader[]
HTTPHeader: name!=1 string, value!=2 string
HostAlias: ip=1 string, hostnames=2 string[]
HostIP: ip!=1 string
HostPathVolumeSource: path!=1 string, type!=2 string
KeyToPath: key!=1 string, path!=2 string, mode!=3 int
Lifecycle: postStart=1 LifecycleHandler, preStop=2 LifecycleHandler, stopSignal!=3 string
LifecycleHandler: exec=1 ExecAction, httpGet=2 HTTPGetAction, tcpSocket=3 TCPSocketAction, sleep=4 SleepAction
LocalObjectReference: name=1 string
NFSVolumeSource: server!=1 string, path!=2 string, readOnly=3 bool
NodeAffinity: requiredDuringSchedulingIgnoredDuringExecution=1 NodeSelector,
  preferredDuringSchedulingIgnoredDuringExecution=2 PreferredSchedulingTerm[]
NodeSelector: nodeSelectorTerms=1 NodeSelectorTerm[]
NodeSelectorRequirement: key!=1 string, operator!=2 string, values=3 string[]
NodeSelectorTerm: matchExpressions=1 NodeSelectorRequirement[], matchFields=2 NodeSelectorRequirement[]
ObjectFieldSelector: apiVersion=1 string, fieldPath!=2 string
PersistentVolumeClaimSpec: accessModes=1 string[], resources=2 ResourceRequirements, volumeName=3 string,
  selector=4 LabelSelector, storageClassName!=5 string, volumeMode!=6 string
PersistentVolumeClaimTemplate: metadata=1 ObjectMeta, spec=2 PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource: claimName!=1 string, readOnly=2 bool
Pod: metadata=1 ObjectMeta, spec=2 PodSpec, status=3 PodStatus
PodAffinity: requiredDuringSchedulingIgnoredDuringExecution=1 PodAffinityTerm[],
  preferredDuringSchedulingIgnoredDuringExecution=2 WeightedPodAffinityTerm[]
PodAffinityTerm: labelSelector=1 LabelSelector, namespaces=2 string[], topologyKey!=3 string, namespaceSelector=4
  LabelSelector, matchLabelKeys=5 string[], mismatchLabelKeys=6 string[]
PodAntiAffinity: requiredDuringSchedulingIgnoredDuringExecution=1 PodAffinityTerm[],
  preferredDuringSchedulingIgnoredDuringExecution=2 WeightedPodAffinityTerm[]
PodCondition: type!=1 string, status!=2 string, lastProbeTime=3 Time, lastTransitionTime=4 Time, reason=5 string,
  message=6 string, observedGeneration=7 int
PodDNSConfig: nameservers=1 string[], searches=2 string[], options=3 PodDNSConfigOption[]
PodDNSConfigOption: name=1 string, value!=2 string
PodIP: ip=1 string
PodOS: name!=1 string
PodReadinessGate: conditionType!=1 string
PodSchedulingGate: name!=1 string
PodSecurityContext: seLinuxOptions=1 SELinuxOptions, windowsOptions=8 WindowsSecurityContextOptions, runAsUser!=2
  int, runAsGroup!=6 int, runAsNonRoot!=3 bool, supplementalGroups=4 int[], fsGroup!=5 int, sysctls=7 Sysctl[],
  fsGroupChangePolicy!=9 string, seccompProfile=10 SeccompProfile, appArmorProfile=11 AppArmorProfile,
  supplementalGroupsPolicy!=12 string, seLinuxChangePolicy!=13 string
PodSpec: volumes=1 Volume[], initContainers=20 Container[], containers=2 Container[], ephemeralContainers=34
  EphemeralContainer[], restartPolicy=3 string, terminationGracePeriodSeconds!=4 int, activeDeadlineSeconds!=5 int,
  dnsPolicy=6 string, nodeSelector=7 map<string>, serviceAccountName=8 string, serviceAccount=9 string,
  automountServiceAccountToken!=21 bool, nodeName=10 string, hostNetwork=11 bool, hostPID=12 bool, hostIPC=13 bool,
  shareProcessNamespace!=27 bool, securityContext=14 PodSecurityContext, imagePullSecrets=15 LocalObjectReference[],
  hostname=16 string, subdomain=17 string, affinity=18 Affinity, schedulerName=19 string, tolerations=22
  Toleration[], hostAliases=23 HostAlias[], priorityClassName=24 string, priority!=25 int, dnsConfig=26
  PodDNSConfig, readinessGates=28 PodReadinessGate[], runtimeClassName!=29 string, enableServiceLinks!=30 bool,
  preemptionPolicy!=31 string, overhead=32 map<Quantity>, topologySpreadConstraints=33 TopologySpreadConstraint[],
  setHostnameAsFQDN!=35 bool, os=36 PodOS, hostUsers!=37 bool, schedulingGates=38 PodSchedulingGate[], resources=40
  ResourceRequirements
PodStatus: phase=1 string, conditions=2 PodCondition[], message=3 string, reason=4 string, nominatedNodeName=11
  string, hostIP=5 string, podIP=6 string, podIPs=12 PodIP[], startTime=7 Time, initContainerStatuses=10
  ContainerStatus[], containerStatuses=8 ContainerStatus[], qosClass=9 string, ephemeralContainerStatuses=13
  ContainerStatus[], resize=14 string, hostIPs=16 HostIP[], observedGeneration=17 int
PreferredSchedulingTerm: weight!=1 int, preference=2 NodeSelectorTerm
Probe: handler^=1 ProbeHandler, initialDelaySeconds=2 int, timeoutSeconds=3 int, periodSeconds=4 int,
  successThreshold=5 int, failureThreshold=6 int, terminationGracePeriodSeconds!=7 int
ProbeHandler: exec=1 ExecAction, httpGet=2 HTTPGetAction, tcpSocket=3 TCPSocketAction, grpc=4 GRPCAction
ProjectedVolumeSource: sources=1 VolumeProjection[], defaultMode!=2 int
ResourceFieldSelector: containerName=1 string, resource!=2 string, divisor=3 Quantity
ResourceRequirements: limits=1 map<Quantity>, requests=2 map<Quantity>
SELinuxOptions: user=1 string, role=2 string, type=3 string, level=4 string
SeccompProfile: type!=1 string, localhostProfile!=2 string
SecretEnvSource: localObjectReference^=1 LocalObjectReference, optional!=2 bool
SecretKeySelector: localObjectReference^=1 LocalObjectReference, key!=2 string, optional!=3 bool
SecretProjection: localObjectReference^=1 LocalObjectReference, items=2 KeyToPath[], optional!=4 bool
SecretVolumeSource: secretName=1 string, items=2 KeyToPath[], defaultMode!=3 int, optional!=4 bool
SecurityContext: capabilities=1 Capabilities, privileged!=2 bool, seLinuxOptions=3 SELinuxOptions, windowsOptions=10
  WindowsSecurityContextOptions, runAsUser!=4 int, runAsGroup!=8 int, runAsNonRoot!=5 bool,
  readOnlyRootFilesystem!=6 bool, allowPrivilegeEscalation!=7 bool, procMount!=9 string, seccompProfile=11
  SeccompProfile, appArmorProfile=12 AppArmorProfile
ServiceAccountTokenProjection: audience=1 string, expirationSeconds!=2 int, path!=3 string
SleepAction: seconds!=1 int
Sysctl: name!=1 string, value!=2 string
TCPSocketAction: port=1 IntOrString, host=2 string
Toleration: key=1 string, operator=2 string, value=3 string, effect=4 string, tolerationSeconds!=5 int
TopologySpreadConstraint: maxSkew!=1 int, topologyKey!=2 string, whenUnsatisfiable!=3 string, labelSelector=4
  LabelSelector, minDomains!=5 int, nodeAffinityPolicy!=6 string, nodeTaintsPolicy!=7 string, matchLabelKeys=8
  string[]
Volume: name!=1 string, volumeSource^=2 VolumeSource
VolumeDevice: name!=1 string, devicePath!=2 string
VolumeMount: name!=1 string, readOnly=2 bool, mountPath!=3 string, subPath=4 string, mountPropagation!=5 string,
  subPathExpr=6 string, recursiveReadOnly!=7 string
VolumeProjection: secret=1 SecretProjection, downwardAPI=2 DownwardAPIProjection, configMap=3 ConfigMapProjection,
  serviceAccountToken=4 ServiceAccountTokenProjection
VolumeSource: hostPath=1 HostPathVolumeSource, emptyDir=2 EmptyDirVolumeSource, secret=6 SecretVolumeSource, nfs=7
  NFSVolumeSource, persistentVolumeClaim=10 PersistentVolumeClaimVolumeSource, downwardAPI=16
  DownwardAPIVolumeSource, configMap=19 ConfigMapVolumeSource, projected=26 ProjectedVolumeSource, csi=28
  CSIVolumeSource, ephemeral=29 EphemeralVolumeSource
WeightedPodAffinityTerm: weight!=1 int, podAffinityTerm=2 PodAffinityTerm
WindowsSecurityContextOptions: gmsaCredentialSpecName!=1 string, gmsaCredentialSpec!=2 string, runAsUserName!=3
  string, hostProcess!=4 bool
`;
