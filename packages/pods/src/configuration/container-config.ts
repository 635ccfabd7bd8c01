import { containerCommand, type ContainerEnvironment } from '../environment/container-environment.ts';
import { containerAnnotations, containerLabels } from '../identity/labels.ts';
import { containerLogPath } from '../identity/log-paths.ts';
import type { Container } from '../pod/container-fields.ts';
import type { Pod } from '../pod/pod.ts';
import {
  linuxResources,
  windowsResources,
  type LinuxContainerResources,
  type MachineFacts,
  type WindowsContainerResources,
} from '../resources/container-resources.ts';
import { containerSecurity, type SecurityFacts } from '../security/container-security.ts';
import type { LinuxContainerSecurity, WindowsSecurity } from '../security/security-shapes.ts';
import { windowsSecurity } from '../security/windows-security.ts';
import { containerPathOf, type MountPlan } from '../volumes/plan-mounts.ts';

/** What the configuration of a container depends on besides the pod. */
export interface ContainerFacts extends SecurityFacts {
  readonly os: 'linux' | 'windows';
  readonly attempt: number;
  /** The image as the runtime names it. */
  readonly imageRef: string;
  readonly environment: ContainerEnvironment;
  /** The volumes, each with the path on the machine that the agent prepared for it. */
  readonly mounts: readonly (MountPlan & { readonly hostPath: string })[];
  /** The path on the machine of the file for the termination message; absent where the agent made none. */
  readonly terminationFile?: string;
  /** The path on the machine of the file with the names of hosts. */
  readonly hostsFile?: string;
  readonly selinuxRelabel: boolean;
  readonly machine: MachineFacts;
}

/** A mount, in the form of the runtime interface. */
export interface Mount {
  readonly containerPath: string;
  readonly hostPath: string;
  readonly readonly: boolean;
  readonly selinuxRelabel: boolean;
  readonly propagation: 0 | 1 | 2;
  readonly recursiveReadOnly: boolean;
}

/** The configuration of a container, in the form of the runtime interface. */
export interface ContainerConfig {
  readonly metadata: { readonly name: string; readonly attempt: number };
  readonly image: { readonly image: string; readonly userSpecifiedImage: string };
  readonly command: string[];
  readonly args: string[];
  readonly workingDir: string;
  readonly envs: { readonly key: string; readonly value: Uint8Array<ArrayBuffer> }[];
  readonly mounts: Mount[];
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  readonly logPath: string;
  readonly stdin: boolean;
  readonly stdinOnce: boolean;
  readonly tty: boolean;
  readonly linux?: { readonly resources: LinuxContainerResources; readonly securityContext: LinuxContainerSecurity };
  readonly windows?: { readonly resources: WindowsContainerResources; readonly securityContext: WindowsSecurity };
}

/** The configuration of one instance of a container. */
export function containerConfig(pod: Pod, container: Container, facts: ContainerFacts): ContainerConfig {
  const { command, args } = containerCommand(container, facts.environment);
  const { os, attempt, machine } = facts;
  return {
    metadata: { name: container.name, attempt },
    image: { image: facts.imageRef, userSpecifiedImage: container.image },
    command: [...command],
    args: [...args],
    workingDir: container.workingDir ?? '',
    envs: [...facts.environment.variables],
    mounts: mountsOf(pod, container, facts),
    labels: { ...containerLabels(pod, container) },
    annotations: { ...containerAnnotations(pod, container, attempt) },
    logPath: containerLogPath(container.name, attempt),
    stdin: container.stdin === true,
    stdinOnce: container.stdinOnce === true,
    tty: container.tty === true,
    ...(os === 'linux' && {
      linux: {
        resources: linuxResources(pod, container, machine),
        securityContext: containerSecurity(pod, container, facts),
      },
    }),
    ...(os === 'windows' && {
      windows: {
        resources: windowsResources(container, machine),
        securityContext: windowsSecurity(pod, container.securityContext),
      },
    }),
  };
}

/** The file with the names of hosts, in containers and on machines. */
export const HOSTS_PATHS = { linux: '/etc/hosts', windows: 'C:\\Windows\\System32\\drivers\\etc\\hosts' } as const;

/** The volumes, and the files every container gets unless it mounts something at their places itself. */
function mountsOf(pod: Pod, container: Container, facts: ContainerFacts): Mount[] {
  const { os, selinuxRelabel, hostsFile, terminationFile } = facts;
  const volumes = facts.mounts.map(({ containerPath, hostPath, readonly, propagation, recursiveReadOnly }) => {
    return { containerPath, hostPath, readonly, selinuxRelabel, propagation, recursiveReadOnly };
  });
  const isTaken = (path: string): boolean => volumes.some((mount) => samePath(mount.containerPath, path, os));
  const isHostProcess = os === 'windows' && windowsSecurity(pod, container.securityContext).hostProcess;
  const hostsPath = HOSTS_PATHS[os];
  const hosts = hostsFile !== undefined && !isHostProcess && !isTaken(hostsPath) ? [plain(hostsFile, hostsPath)] : [];
  const terminationPath = containerPathOf(container.terminationMessagePath, os);
  const termination = terminationFile !== undefined ? [plain(terminationFile, terminationPath)] : [];
  return [...volumes, ...hosts, ...termination].map((mount) => ({ ...mount, selinuxRelabel }));
}

function plain(hostPath: string, containerPath: string): Mount {
  return {
    containerPath,
    hostPath,
    readonly: false,
    selinuxRelabel: false,
    propagation: 0,
    recursiveReadOnly: false,
  };
}

function samePath(one: string, other: string, os: 'linux' | 'windows'): boolean {
  if (os === 'linux') return one.replace(/\/+$/, '') === other;
  return one.replaceAll('/', '\\').toLowerCase() === other.replaceAll('/', '\\').toLowerCase();
}
