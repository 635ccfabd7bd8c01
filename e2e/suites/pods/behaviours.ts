import type { Proof } from '../../support/reporting/proofs.ts';

/** What a node does with pods, as Kubernetes' tests of nodes ask for it, and the tests on real containerd that show it. */
export interface Behaviour {
  readonly behaviour: string;
  readonly proof: Proof;
}

/** A part of the table. */
export interface BehaviourGroup {
  readonly title: string;
  readonly behaviours: readonly Behaviour[];
}

/** All of them, in the order of a pod's life. */
export const BEHAVIOURS: readonly BehaviourGroup[] = [
  group('Life of a pod', [
    [
      'A pod runs, with the labels, annotations and log paths of a kubelet',
      'life',
      'a pod runs, and the runtime has it',
    ],
    ['A pod that a Go CloudCore sends runs unchanged', 'upstream', 'runs its pod, with what the pod refers to'],
    ['A repeated update restarts nothing', 'upstream', 'is not disturbed by an update'],
    ['A deleted pod ends, and nothing of it is left', 'life', '"kubectl delete pod" returns'],
    [
      'A pod that is marked as deleted by a Go CloudCore ends and is removed there',
      'upstream',
      'ends the pod when it is marked as deleted',
    ],
    ['Pods of other nodes are not run', 'life', 'a pod of another node is not run'],
    [
      'Restart policies Always, OnFailure and Never, each with success and failure',
      'life',
      'with the restart policy %s and exit code %i',
    ],
    ['Delays between restarts: 10 s, 20 s and so on', 'life', 'a container that fails again and again waits'],
    ['Init containers run in order, once per sandbox', 'life', 'init containers run one after the other'],
    ['A new sandbox begins with the first init container', 'life', 'a new sandbox begins'],
    [
      'A failed init container fails the pod or is repeated, by the restart policy',
      'life',
      'a failed init container fails a pod',
    ],
    [
      'A sidecar starts first, is restarted, and ends last; the pod succeeds without it',
      'probes',
      'a sidecar starts first',
    ],
    ['`activeDeadlineSeconds`, also lowered while the pod runs', 'life', 'a pod that runs longer than its deadline'],
    ['SIGTERM, the grace period, then SIGKILL', 'life', 'a pod has its grace period to end after SIGTERM'],
    ['The exit code of SIGKILL is reported', 'life', 'a killed container shows the exit code'],
    ['A shorter grace period takes effect while the pod ends', 'probes', 'a shorter grace period takes effect'],
    ['Fifty pods at once all run and all go', 'life', 'fifty pods at once'],
    ['A reset of the node ends its pods and removes their volumes', 'reset', 'a reset removes the pods'],
    ['`kubectl drain` ends when the pods have ended in order', 'grace', '"kubectl drain" ends when the pods'],
    ['A reset gives every pod its grace period, up to a limit', 'grace', 'a reset gives every pod its grace period'],
    [
      'An upgrade and a rollback of the agent restart no container',
      'upgrade',
      'an upgrade and a rollback restart no container',
    ],
    [
      'An agent that does not manage the pods is rolled back',
      'upgrade',
      'an upgrade to an agent that does not manage the pods',
    ],
  ]),
  group('Probes, hooks and messages', [
    [
      'Liveness probes by exec, HTTP and TCP restart the container',
      'probes',
      'a container whose %s liveness probe fails',
    ],
    ['Thresholds are respected', 'probes', 'a probe that fails less often than its threshold'],
    ['Readiness decides the condition and restarts nothing', 'probes', 'a container is ready only while'],
    ['The startup probe holds back the others', 'probes', 'the other probes begin when the startup probe'],
    ['A probe that takes too long fails', 'probes', 'an exec probe that takes longer'],
    ['The next container waits for a postStart hook', 'probes', 'the next container waits for the postStart'],
    ['A failed postStart hook restarts the container', 'probes', 'a container whose postStart hook fails'],
    ['A preStop hook ends before SIGTERM', 'probes', 'the preStop hook ends before SIGTERM'],
    ['A preStop hook cannot exceed the grace period', 'probes', 'a preStop hook that takes longer'],
    [
      'Termination messages: file, other path, end of the log, at most 4096 bytes',
      'probes',
      'the termination message %s',
    ],
    ['Logs have the format of a kubelet', 'content', 'the log of a container is one of a kubelet'],
    ['Rotation of logs loses and doubles no line', 'logs', 'no line of 50 MB is lost'],
    ['Rotated logs are compressed and limited in number', 'logs', 'a log has the files that the settings allow'],
    ['Logs of removed instances are removed', 'logs', 'the logs of instances that are removed'],
    ['A probe that hangs affects its container only', 'hostile', 'a probe that hangs fails its container'],
  ]),
  group('Events', [
    ['A pod that starts and ends', 'events', 'a pod that starts and ends has the events'],
    ['The node starts and is ready', 'events', 'the node says that it started'],
    ['Repeated events are counted', 'events', 'has one event that counts'],
    ['Failed probes', 'events', 'a failed probe is in an event'],
    [
      'Images that are missing, must not be pulled, or have a wrong name',
      'events',
      'a missing image, an image that may not be pulled',
    ],
    ['Missing objects of volumes and variables', 'events', 'a missing ConfigMap is in an event'],
    ['A field that is not supported is named', 'events', 'an unsupported field is named'],
    ['Failed hooks, left out name servers, replaced sandboxes', 'events', 'hooks that fail, name servers'],
    ['A restarted agent writes events about itself only', 'events', 'an agent that is started again writes events'],
    ['Events of the time without the cloud', 'events', 'events of the time without the cloud'],
  ]),
  group('Restarts of the parts of a node', [
    ['A killed agent restarts no container', 'restarts', 'a killed agent adopts the pods'],
    ['A killed containerd restarts no container', 'restarts', 'a killed containerd that is started again'],
    [
      'A pod that was deleted while the agent was down ends',
      'restarts',
      'a pod that is deleted while the agent is down',
    ],
    [
      'An agent that is killed at any moment of a start makes nothing twice',
      'restarts',
      'an agent that is killed at any moment',
    ],
    [
      'A container that ended while the agent was down keeps its exit code',
      'restarts',
      'a container that ends while the agent is down',
    ],
    [
      'A container that ended while containerd was down is restarted',
      'restarts',
      'a container that ends while containerd is down',
    ],
    ['After a reboot without the cloud every pod runs again', 'restarts', 'after a reboot without the cloud'],
    ['A runtime that hangs is reported, and afterwards all is well', 'faults', 'a runtime that hangs is reported'],
    ['A clock that jumps a day ahead and back', 'faults', 'a clock that jumps a day'],
  ]),
  group('Images', [
    ['Pull policies Always and IfNotPresent', 'images', 'with the policy %s a pod asks the registry'],
    ['Pull policy Never', 'images', 'with the policy Never'],
    ['An image that does not exist', 'images', 'an image that the registry does not have'],
    ['An image name that is not one', 'life', 'an image name that is not one'],
    ['Delays between pulls', 'images', 'a registry that fails is asked again'],
    ['Pull secrets', 'images', 'a private image is pulled with the secret'],
    ['Policy Always with an unreachable registry', 'images', 'with the policy Always a present image is used'],
    ['A damaged image is not run', 'faults', 'an image whose content is damaged'],
    ['An image for another processor', 'faults', 'an image for another processor'],
    ['An image that does not fit on the disk', 'faults', 'an image that does not fit'],
    [
      'Unused images are removed when the disk is full, others are kept',
      'pressure',
      'images that nothing needs are removed',
    ],
  ]),
  group('Environment and commands', [
    ['Variables from every source, with references', 'content', 'variables come from every source'],
    ['A pod waits for an object that a variable needs', 'content', 'a pod waits for an object that a variable needs'],
    ['Command and arguments of pod and image', 'content', 'without command and arguments the image says'],
    ['A megabyte of environment', 'hostile', 'a megabyte of environment reaches'],
  ]),
  group('Volumes', [
    [
      '`emptyDir` is shared, survives restarts and goes with the pod',
      'content',
      'an emptyDir is shared by the containers',
    ],
    ['`emptyDir` in memory has its size', 'content', 'an emptyDir in memory'],
    ['`hostPath` of every type', 'content', 'a hostPath of type "%s"'],
    [
      '`configMap` and `secret`: files, modes, items, optional',
      'content',
      'configMap and secret volumes have the files',
    ],
    ['A pod waits for the object of a volume', 'content', 'a pod waits for the object of a volume'],
    ['Updates are atomic, however many come', 'hostile', 'a ConfigMap that changes 100 times'],
    ['`subPath` shows the version of the start', 'volumes', 'a part of a volume stays as it was'],
    ['`subPathExpr`', 'volumes', 'a part of a volume can be named by a variable'],
    ['`downwardAPI`, also changed labels', 'volumes', 'a downwardAPI volume shows labels'],
    ['`projected`, with a token for an audience', 'volumes', 'a projected volume has the token'],
    ['`fsGroup`', 'volumes', 'the files of an emptyDir belong to the group'],
    ['Volumes that do not fit on the disk', 'faults', 'volumes that do not fit on the disk'],
    ['No sub path leads out of its volume, links included', 'hostile', 'a sub path that leads out of its volume'],
    ['No link leads a removal out of its volume', 'hostile', 'links in a volume do not lead its removal'],
  ]),
  group('Security and resources', [
    ['Users, groups and capabilities', 'isolation', 'user, groups and capabilities'],
    ['`allowPrivilegeEscalation`', 'isolation', 'privileges cannot grow'],
    ['`readOnlyRootFilesystem`', 'isolation', 'a root file system can be read-only'],
    ['`privileged`', 'isolation', 'a privileged container sees every device'],
    ['`runAsNonRoot`', 'isolation', 'a container that must not run as root'],
    ['Seccomp profiles', 'isolation', 'the seccomp profile'],
    ['Sysctls: safe ones are set, others refused', 'isolation', 'a safe sysctl is set'],
    ['`shareProcessNamespace`', 'isolation', 'the containers of a pod share processes'],
    ['Host network, processes and IPC', 'isolation', 'a pod has the network, processes and IPC of the node'],
    ['Control groups by class of service, with limits', 'isolation', 'a pod has a control group by its class'],
    ['What is left of pods is removed', 'isolation', 'what is left of pods that are gone'],
    ['A container over its memory limit is reported as OOMKilled', 'isolation', 'a container that uses more memory'],
  ]),
  group('Admission and pressure', [
    [
      'Reasons of refusal: resources, ports, affinity, operating system',
      'pressure',
      'a pod that the node cannot run fails with the reason',
    ],
    [
      'Fields that are not supported are refused by name',
      'hostile',
      'a pod with several fields that are not supported',
    ],
    [
      'Memory pressure: the order of evictions, and what is refused',
      'pressure',
      'pods are evicted by rank under memory pressure',
    ],
    ['Disk pressure: images first, then the pod that uses most', 'pressure', 'a short disk of images is freed'],
    ['Disk pressure refuses new pods', 'pressure', 'a node under disk pressure refuses'],
    [
      'Limits of `emptyDir` and of ephemeral storage',
      'pressure',
      'a pod that uses more of the disk than one of its limits',
    ],
    ['Eviction without the cloud', 'pressure', 'a pod is evicted while the cloud is away'],
    ['The node lists its images', 'pressure', 'the status of the node lists its images'],
  ]),
  group('Static pods', [
    ['A file defines a pod, and a mirror shows it', 'static', 'a file defines a pod that runs'],
    ['A changed file replaces the pod', 'static', 'a changed file replaces the pod'],
    ['A broken file disturbs nothing', 'static', 'a broken file is reported with its line'],
    ['Static pods refer to nothing', 'static', 'a pod that refers to a Secret'],
    ['A deleted mirror comes back', 'static', 'a mirror that a user deletes'],
    ['A killed agent adopts static pods', 'static', 'a killed agent adopts static pods'],
    ['A removed file ends the pod', 'static', 'a file that is moved out ends its pod'],
    ['Static pods run before the cloud was ever reached', 'static', 'a node that knows nothing of its cloud'],
  ]),
  group('Network', [
    ['DNS policies', 'isolation', 'the DNS policy says'],
    ['Name, address and host aliases', 'isolation', 'a pod knows its name'],
    ['Host name and subdomain', 'isolation', 'a pod has the host name and subdomain'],
    ['A mounted hosts file is respected', 'isolation', 'a hosts file that a container mounts'],
    ['Host ports lead to the pod and are given once', 'volumes', 'a host port leads to the pod'],
  ]),
];

type Row = readonly [behaviour: string, file: string, test: string];

function group(title: string, rows: readonly Row[]): BehaviourGroup {
  const behaviours = rows.map(([behaviour, file, test]) => ({
    behaviour,
    proof: { file: `e2e/suites/pods/${file}.e2e.test.ts`, test },
  }));
  return { title, behaviours };
}
