import type { JsonObject } from '@fenestra/kube-api';

/** One program of the Windows nodes, with a namespace and its own account; everything it has is called alike. */
export interface Part {
  readonly name: string;
  readonly image: string;
  readonly files: Readonly<Record<string, string>>;
  /** The environment of its pods, besides the node's name and address. */
  readonly variables: Variables;
  /** What its account may do in the cluster: a role that Kubernetes brings, or rules. */
  readonly rights: { readonly clusterRole: string } | { readonly rules: readonly JsonObject[] };
  /** What makes the pod what it is: a HostProcess pod, or one that uses wins. */
  readonly pod: PodShape;
}

/** A pod's variables by name: what they are, or the field of the pod that they are taken from. */
export type Variables = Readonly<Record<string, string | { readonly fieldPath: string }>>;

/** How a pod gets at the host. */
export interface PodShape {
  readonly command: readonly string[];
  readonly spec: JsonObject;
  readonly mounts: readonly JsonObject[];
  readonly volumes: readonly JsonObject[];
}

/** Where a pod finds its files and who it is for the API server, below the root of its container. */
export const MOUNTS = { files: '/mounts/files', access: '/mounts/access' } as const;

/** On a namespace: its pods may be HostProcess pods and may use the host's pipes, as far as our policy is concerned. */
export const HOST_ACCESS_LABEL = 'fenestra.dev/windows-host-access';

/** What the label says where it is allowed. */
export const HOST_ACCESS_ALLOWED = 'allowed';

/** On every object: what it belongs to and who made it. */
export function commonLabels(part: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': part, 'app.kubernetes.io/managed-by': 'keadm' };
}

/** The labels that make Pod Security admission hold a namespace's pods to a level. */
export function podSecurity(level: 'privileged' | 'baseline'): Readonly<Record<string, string>> {
  const prefix = 'pod-security.kubernetes.io';
  return { [`${prefix}/enforce`]: level, [`${prefix}/audit`]: level, [`${prefix}/warn`]: level };
}

/** Where "keadm kube prepare" places kube-proxy on a Windows node. */
export const NODE_KUBE_PROXY = String.raw`C:\k\kube-proxy.exe`;

/** Where network plugins are configured, live and keep the addresses they have given, on a Windows node. */
export const CNI = {
  configuration: String.raw`C:\etc\cni\net.d`,
  programs: String.raw`C:\opt\cni\bin`,
  addresses: String.raw`C:\var\lib\cni\networks`,
} as const;

/** Windows' own PowerShell, by its path: an image need not set one. */
const POWERSHELL = String.raw`C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`;

/**
 * A pod whose processes are processes of the host. Its volumes are below `CONTAINER_SANDBOX_MOUNT_POINT` with every
 * containerd that knows such pods. See https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/.
 */
export function hostProcessPod(script: string): PodShape {
  const start = `& (Join-Path $env:CONTAINER_SANDBOX_MOUNT_POINT '${MOUNTS.files}/${script}'); exit $LASTEXITCODE`;
  return {
    command: [POWERSHELL, '-NoLogo', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-Command', start],
    spec: {
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: true, runAsUserName: String.raw`NT AUTHORITY\SYSTEM` } },
    },
    mounts: [],
    volumes: [],
  };
}
