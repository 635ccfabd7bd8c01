import { MOUNTS, type PodShape } from './part.ts';

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
