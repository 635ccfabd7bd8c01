/** The fields of containers, in the notation of `type-table.ts`. */
export const CORE_CONTAINER_TYPES = `
AppArmorProfile: localhostProfile string, type! string
Capabilities: add string[], drop string[]
ConfigMapEnvSource: name string, optional boolean
ConfigMapKeySelector: key! string, name string, optional boolean
Container: args string[], command string[], env EnvVar[name], envFrom EnvFromSource[], image string,
  imagePullPolicy string, lifecycle Lifecycle, livenessProbe Probe, name! string,
  ports ContainerPort[containerPort+protocol], readinessProbe Probe, resizePolicy ContainerResizePolicy[],
  resources ResourceRequirements, restartPolicy string, restartPolicyRules ContainerRestartRule[],
  securityContext SecurityContext, startupProbe Probe, stdin boolean, stdinOnce boolean,
  terminationMessagePath string, terminationMessagePolicy string, tty boolean,
  volumeDevices VolumeDevice[devicePath], volumeMounts VolumeMount[mountPath], workingDir string
ContainerExtendedResourceRequest: containerName! string, requestName! string, resourceName! string
ContainerPort: containerPort! integer, hostIP string, hostPort integer, name string, protocol string
ContainerResizePolicy: resourceName! string, restartPolicy! string
ContainerRestartRule: action! string, exitCodes ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: operator! string, values integer[]
ContainerState: running ContainerStateRunning, terminated ContainerStateTerminated, waiting ContainerStateWaiting
ContainerStateRunning: startedAt Time
ContainerStateTerminated: containerID string, exitCode! integer, finishedAt Time, message string, reason string,
  signal integer, startedAt Time
ContainerStateWaiting: message string, reason string
ContainerStatus: allocatedResources map<Quantity>, allocatedResourcesStatus ResourceStatus[], containerID string,
  image! string, imageID! string, lastState ContainerState, name! string, ready! boolean,
  resources ResourceRequirements, restartCount! integer, started boolean, state ContainerState, stopSignal string,
  user ContainerUser, volumeMounts VolumeMountStatus[mountPath]
ContainerUser: linux LinuxContainerUser
EnvFromSource: configMapRef ConfigMapEnvSource, prefix string, secretRef SecretEnvSource
EnvVar: name! string, value string, valueFrom EnvVarSource
EnvVarSource: configMapKeyRef ConfigMapKeySelector, fieldRef ObjectFieldSelector, fileKeyRef FileKeySelector,
  resourceFieldRef ResourceFieldSelector, secretKeyRef SecretKeySelector
EphemeralContainer: args string[], command string[], env EnvVar[name], envFrom EnvFromSource[], image string,
  imagePullPolicy string, lifecycle Lifecycle, livenessProbe Probe, name! string,
  ports ContainerPort[containerPort+protocol], readinessProbe Probe, resizePolicy ContainerResizePolicy[],
  resources ResourceRequirements, restartPolicy string, restartPolicyRules ContainerRestartRule[],
  securityContext SecurityContext, startupProbe Probe, stdin boolean, stdinOnce boolean,
  targetContainerName string, terminationMessagePath string, terminationMessagePolicy string, tty boolean,
  volumeDevices VolumeDevice[devicePath], volumeMounts VolumeMount[mountPath], workingDir string
ExecAction: command string[]
FileKeySelector: key! string, optional boolean, path! string, volumeName! string
GRPCAction: port! integer, service string
HTTPGetAction: host string, httpHeaders HTTPHeader[], path string, port! IntOrString, scheme string
HTTPHeader: name! string, value! string
ImageVolumeStatus: imageRef! string
Lifecycle: postStart LifecycleHandler, preStop LifecycleHandler, stopSignal string
LifecycleHandler: exec ExecAction, httpGet HTTPGetAction, sleep SleepAction, tcpSocket TCPSocketAction
LinuxContainerUser: gid! int64, supplementalGroups int64[], uid! int64
ObjectFieldSelector: apiVersion string, fieldPath! string
Probe: exec ExecAction, failureThreshold integer, grpc GRPCAction, httpGet HTTPGetAction,
  initialDelaySeconds integer, periodSeconds integer, successThreshold integer, tcpSocket TCPSocketAction,
  terminationGracePeriodSeconds int64, timeoutSeconds integer
ResourceClaim: name! string, request string
ResourceFieldSelector: containerName string, divisor Quantity, resource! string
ResourceHealth: health string, message string, resourceID! string
ResourceRequirements: claims ResourceClaim[name], limits map<Quantity>, requests map<Quantity>
ResourceStatus: name! string, resources ResourceHealth[]
SELinuxOptions: level string, role string, type string, user string
SeccompProfile: localhostProfile string, type! string
SecretEnvSource: name string, optional boolean
SecretKeySelector: key! string, name string, optional boolean
SecurityContext: allowPrivilegeEscalation boolean, appArmorProfile AppArmorProfile, capabilities Capabilities,
  privileged boolean, procMount string, readOnlyRootFilesystem boolean, runAsGroup int64, runAsNonRoot boolean,
  runAsUser int64, seLinuxOptions SELinuxOptions, seccompProfile SeccompProfile,
  windowsOptions WindowsSecurityContextOptions
SleepAction: seconds! int64
TCPSocketAction: host string, port! IntOrString
VolumeDevice: devicePath! string, name! string
VolumeMount: mountPath! string, mountPropagation string, name! string, readOnly boolean, recursiveReadOnly string,
  subPath string, subPathExpr string
VolumeMountStatus: mountPath! string, name! string, readOnly boolean, recursiveReadOnly string,
  volumeStatus VolumeStatus
VolumeStatus: image ImageVolumeStatus
WindowsSecurityContextOptions: gmsaCredentialSpec string, gmsaCredentialSpecName string, hostProcess boolean,
  runAsUserName string
`;
