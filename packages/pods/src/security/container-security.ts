import type { Container } from '../pod/container-fields.ts';
import type { Pod, PodSpec } from '../pod/pod.ts';
import type { PodSecurityContext, SecurityContext } from '../pod/security-fields.ts';
import type {
  LinuxContainerSecurity,
  LinuxSandboxSecurity,
  NamespaceOption,
  SecurityProfile,
} from './security-shapes.ts';

/** What security settings depend on besides the pod. */
export interface SecurityFacts {
  /** The folder of the seccomp profiles of the machine. */
  readonly seccompFolder: string;
  /** Whether containers without a profile get that of the runtime. */
  readonly seccompDefault: boolean;
  /** The user the image names: by number, or by name. */
  readonly imageUser: { readonly uid?: number; readonly username?: string };
  /** The instance whose processes an ephemeral container sees. */
  readonly targetId?: string;
}

const MASKED_PATHS = [
  ...['asound', 'acpi', 'interrupts', 'kcore', 'keys', 'latency_stats', 'timer_list', 'timer_stats'].map(
    (name) => `/proc/${name}`,
  ),
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
  '/sys/devices/virtual/powercap',
];
const READONLY_PATHS = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'];

const RUNTIME_DEFAULT: SecurityProfile = { profileType: 0, localhostRef: '' };
const UNCONFINED: SecurityProfile = { profileType: 1, localhostRef: '' };

/** The security settings of a container on Linux. What it does not say, its pod says for all. */
export function containerSecurity(pod: Pod, container: Container, facts: SecurityFacts): LinuxContainerSecurity {
  const own = container.securityContext ?? {};
  const shared = pod.spec.securityContext;
  const { add = [], drop = [] } = own.capabilities ?? {};
  const privileged = own.privileged === true;
  const isMasked = !privileged && own.procMount !== 'Unmasked';
  const apparmor = profileOf(own.appArmorProfile ?? shared.appArmorProfile, '');
  return {
    ...(own.capabilities && { capabilities: { addCapabilities: [...add], dropCapabilities: [...drop] } }),
    privileged,
    namespaceOptions: namespaces(pod.spec, facts.targetId),
    ...selinux(own.seLinuxOptions ?? shared.seLinuxOptions),
    ...userOf(own, shared, facts.imageUser),
    ...groupOf(own.runAsGroup ?? shared.runAsGroup),
    readonlyRootfs: own.readOnlyRootFilesystem === true,
    supplementalGroups: supplementalGroups(shared),
    supplementalGroupsPolicy: shared.supplementalGroupsPolicy === 'Strict' ? 1 : 0,
    noNewPrivs: own.allowPrivilegeEscalation === false,
    // An empty list would leave everything readable, so it is sent only where that is asked for.
    maskedPaths: isMasked ? MASKED_PATHS : [],
    readonlyPaths: isMasked ? READONLY_PATHS : [],
    seccomp:
      profileOf(own.seccompProfile ?? shared.seccompProfile, `${facts.seccompFolder}/`) ??
      (facts.seccompDefault ? RUNTIME_DEFAULT : UNCONFINED),
    ...(apparmor && { apparmor }),
  };
}

/** The security settings of a sandbox on Linux. It is privileged as soon as one container is. */
export function sandboxSecurity({ spec }: Pod): LinuxSandboxSecurity {
  const { securityContext } = spec;
  const all = [...spec.containers, ...(spec.initContainers ?? []), ...(spec.ephemeralContainers ?? [])];
  const { runAsUser } = securityContext;
  return {
    namespaceOptions: namespaces(spec, undefined),
    ...selinux(securityContext.seLinuxOptions),
    ...(runAsUser !== undefined && { runAsUser: { value: BigInt(runAsUser) } }),
    // The runtime refuses a group without a user.
    ...(runAsUser !== undefined && groupOf(securityContext.runAsGroup)),
    supplementalGroups: supplementalGroups(securityContext),
    supplementalGroupsPolicy: securityContext.supplementalGroupsPolicy === 'Strict' ? 1 : 0,
    privileged: all.some((container) => container.securityContext?.privileged === true),
    seccomp: RUNTIME_DEFAULT,
  };
}

/** Why a container may not be created as it is; undefined if it may. */
export function securityProblem(pod: Pod, container: Container, facts: SecurityFacts): string | undefined {
  const own = container.securityContext ?? {};
  const shared = pod.spec.securityContext;
  const { seccompProfile } = { ...shared, ...own };
  if (seccompProfile?.type === 'Localhost' && !isFileName(seccompProfile.localhostProfile)) {
    return 'the seccomp profile of the machine is not named by a relative path';
  }
  if ((own.runAsNonRoot ?? shared.runAsNonRoot) !== true) return undefined;
  const runAsUser = own.runAsUser ?? shared.runAsUser;
  if (runAsUser !== undefined) {
    return runAsUser === 0 ? "container's runAsUser breaks non-root policy" : undefined;
  }
  const { uid, username } = facts.imageUser;
  if (uid !== undefined && uid !== 0) return undefined;
  if (uid === undefined && username) {
    return `container has runAsNonRoot and image has non-numeric user (${username}), cannot verify user is non-root`;
  }
  return 'container has runAsNonRoot and image will run as root';
}

/** Which namespaces the containers of a pod share. */
function namespaces(spec: PodSpec, targetId: string | undefined): NamespaceOption {
  return {
    network: spec.hostNetwork === true ? 2 : 0,
    pid: targetId === undefined ? processNamespace(spec) : 3,
    ipc: spec.hostIPC === true ? 2 : 0,
    targetId: targetId ?? '',
  };
}

function processNamespace({ hostPID, shareProcessNamespace }: PodSpec): 0 | 1 | 2 {
  if (hostPID === true) return 2;
  return shareProcessNamespace === true ? 0 : 1;
}

function userOf(
  own: SecurityContext,
  shared: PodSecurityContext,
  image: SecurityFacts['imageUser'],
): Pick<LinuxContainerSecurity, 'runAsUser' | 'runAsUsername'> {
  const uid = own.runAsUser ?? shared.runAsUser ?? image.uid;
  if (uid !== undefined) return { runAsUser: { value: BigInt(uid) } };
  return image.username ? { runAsUsername: image.username } : {};
}

function groupOf(runAsGroup: number | undefined): { readonly runAsGroup?: { readonly value: bigint } } {
  return runAsGroup === undefined ? {} : { runAsGroup: { value: BigInt(runAsGroup) } };
}

function supplementalGroups({ fsGroup, supplementalGroups: groups = [] }: PodSecurityContext): bigint[] {
  return [...(fsGroup === undefined ? [] : [fsGroup]), ...groups].map(BigInt);
}

function selinux(options: SecurityContext['seLinuxOptions']): Pick<LinuxContainerSecurity, 'selinuxOptions'> {
  if (options === undefined) return {};
  const { user = '', role = '', type = '', level = '' } = options;
  return { selinuxOptions: { user, role, type, level } };
}

function profileOf(profile: SecurityContext['seccompProfile'], folder: string): SecurityProfile | undefined {
  if (profile === undefined) return undefined;
  switch (profile.type) {
    case 'RuntimeDefault':
      return RUNTIME_DEFAULT;
    case 'Unconfined':
      return UNCONFINED;
    case 'Localhost':
      return { profileType: 2, localhostRef: `${folder}${profile.localhostProfile ?? ''}` };
    default:
      return undefined;
  }
}

function isFileName(path: string | undefined): boolean {
  return path !== undefined && path !== '' && !path.startsWith('/') && !path.split('/').includes('..');
}
