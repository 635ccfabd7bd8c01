import {
  type ContainerStatus,
  type CreateContainerRequest,
  LinuxContainerConfigSchema,
  type Mount,
  type PodSandboxConfig,
} from '@fenestra/cri/messages';
import { decode, encode } from '../../../packages/cri/src/codec.ts';

const VAR = /^(?:C:)?[\\/]var(?=[\\/]|$)/i;
const PIPE = /^\\\\\.\\pipe\\/i;

/** Where a file of the Windows node is on this machine, for which `varFolder` is its `C:\var`. */
function hostPathOf(path: string, varFolder: string): string {
  if (!VAR.test(path)) throw new Error(`Only what is below "C:\\var" can be mounted here, not "${path}"`);
  return path.replace(VAR, () => varFolder).replaceAll('\\', '/');
}

/** The same path as the Windows node names it. */
function windowsPathOf(path: string, varFolder: string): string {
  return path.startsWith(`${varFolder}/`) ? `C:\\var${path.slice(varFolder.length).replaceAll('/', '\\')}` : path;
}

/** A path in a Windows container, in a Linux one: without its drive. */
function containerPathOf(path: string): string {
  return path.replace(/^[a-z]:/i, '').replaceAll('\\', '/');
}

/** Makes a sandbox for Windows one for Linux: without the part for Windows, and with its logs on this machine. */
export function makeLinuxSandbox(config: PodSandboxConfig | undefined, varFolder: string): void {
  if (config === undefined) return;
  delete config.windows;
  config.logDirectory = hostPathOf(config.logDirectory, varFolder);
}

/**
 * Makes a container for Windows one for Linux: without the part for Windows and without named pipes, with paths of this
 * machine and of Linux, and in the namespaces that its sandbox names.
 */
export function makeLinuxContainer({ config, sandboxConfig }: CreateContainerRequest, varFolder: string): void {
  makeLinuxSandbox(sandboxConfig, varFolder);
  if (config === undefined) return;
  delete config.windows;
  config.workingDir = containerPathOf(config.workingDir);
  config.mounts = config.mounts.filter(({ hostPath }) => !PIPE.test(hostPath));
  for (const mount of config.mounts) {
    mount.containerPath = containerPathOf(mount.containerPath);
    mount.hostPath = hostPathOf(mount.hostPath, varFolder);
  }
  const namespaceOptions = sandboxConfig?.linux?.securityContext?.namespaceOptions;
  const linux = { securityContext: namespaceOptions && { namespaceOptions } };
  config.linux = decode(LinuxContainerConfigSchema, encode(LinuxContainerConfigSchema, linux));
}

/** Makes the status of a container one for Windows: with the mounts that were asked for, and its log on the node. */
export function makeWindowsStatus(status: ContainerStatus, mounts: readonly Mount[], varFolder: string): void {
  status.logPath = windowsPathOf(status.logPath, varFolder);
  status.mounts = [...mounts];
}
