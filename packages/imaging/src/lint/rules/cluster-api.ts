import type { Rule } from '../rules.ts';

/** What Cluster API and kubeadm make of it. */
export const CLUSTER_API_RULES = {
  'taint-lost': {
    severity: 'warning',
    title: 'The taint of Cluster API is lost',
    why: '`register-with-taints` as an extra argument takes the place of all taints of the join configuration, also of `node.cluster.x-k8s.io/uninitialized`, which keeps pods away until the node has its labels.',
    remedy: 'Give the taint in "nodeRegistration.taints".',
  },
  'kubelet-args-lost': {
    severity: 'warning',
    title: 'Extra arguments of the kubelet may never reach it',
    why: "kubeadm writes them into `kubeadm-flags.env`. Where the kubelet is a Windows service with fixed arguments, as in images of image-builder since June 2026, that file is not read until `C:\\k\\RestartKubelet.ps1` is run: labels, the cloud provider and all other flags are lost without an error. The kubelet's service of `keadm image provision` reads the file at each start.",
    remedy:
      'Add a command after the join: "if exist C:\\k\\RestartKubelet.ps1 powershell.exe -File C:\\k\\RestartKubelet.ps1".',
  },
  'cri-socket': {
    severity: 'error',
    title: 'The container runtime is named as on Linux',
    why: 'On Windows a runtime answers on a named pipe.',
    remedy: 'Write "npipe:////./pipe/containerd-containerd".',
  },
  'sentinel-missing': {
    severity: 'warning',
    title: 'The success of the join is not reported',
    why: 'Cluster API looks for `C:\\run\\cluster-api\\bootstrap-success.complete`; without it providers wait until they time out.',
    remedy: 'Write the file after the join: "&& echo success > C:\\run\\cluster-api\\bootstrap-success.complete".',
  },
  'nssm-missing': {
    severity: 'warning',
    title: 'nssm may not be there',
    why: 'Images register the kubelet as a service of Windows by now; the command fails, and nothing notices.',
    remedy: 'Use "sc.exe config kubelet start= auto", or leave it to the image.',
  },
  'capi-format': {
    severity: 'error',
    title: 'The format is not for Windows',
    why: 'Ignition is read by some Linux systems; cloudbase-init passes it over.',
    remedy: 'Leave "format" out, or write "cloud-config".',
  },
  'capi-field': {
    severity: 'error',
    title: 'A field that a KubeadmConfig does not have, or not in this form',
    why: 'The API server refuses it, or drops it without a word.',
    remedy: 'Correct the name or the value.',
  },
  'capi-limit': {
    severity: 'error',
    title: 'A field is longer than the API allows',
    why: 'Paths have at most 512 letters, contents and commands 10,240; there are at most 200 files and 1,000 commands. The API server refuses more.',
    remedy: 'Take large contents from a secret with "contentFrom", or put them into the image.',
  },
  'capi-false': {
    severity: 'error',
    title: 'A field set to "no" counts as "yes"',
    why: "For `inactive` of a user and `enabled` of `ntp`, Cluster API's provider asks only whether they are there: `false` becomes `true`. An inactive user is then not made at all.",
    remedy: 'Leave the field out.',
  },
  'capi-field-idle': {
    severity: 'note',
    title: 'A field does nothing',
    why: '`useExperimentalRetryJoin` is read and forgotten.',
    remedy: 'Leave it out.',
  },
  'capi-secrets-manager': {
    severity: 'warning',
    title: "AWS' provider wraps the document in parts that are dropped",
    why: 'Unless `cloudInit.insecureSkipSecretsManager` is true, it sends a `text/cloud-boothook` and a `text/x-include-url` instead; cloudbase-init drops both, and the machine never joins.',
    remedy: 'Set "insecureSkipSecretsManager: true" in the AWSMachineTemplate, and keep the token in your own store.',
  },
} as const satisfies Readonly<Record<string, Rule>>;
