import type { Pod } from '../pod/pod.ts';

const NET = 'net.ipv4.';
const SAFE_SYSCTLS: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  `${NET}ip_local_port_range`,
  `${NET}tcp_syncookies`,
  `${NET}ping_group_range`,
  `${NET}ip_unprivileged_port_start`,
  `${NET}ip_local_reserved_ports`,
  `${NET}tcp_keepalive_time`,
  `${NET}tcp_fin_timeout`,
  `${NET}tcp_keepalive_intvl`,
  `${NET}tcp_keepalive_probes`,
  `${NET}tcp_rmem`,
  `${NET}tcp_wmem`,
]);
const IPC_SYSCTLS = /^(?:kernel\.shm|kernel\.msg|kernel\.sem$|fs\.mqueue\.)/;

/** The kernel settings of a pod. */
export function podSysctls({ spec }: Pod): Record<string, string> {
  const sysctls = spec.securityContext.sysctls ?? [];
  return Object.fromEntries(sysctls.map(({ name, value }) => [name.replaceAll('/', '.'), value]));
}

/** Why a kernel setting of a pod is forbidden; undefined if none is. The allowed ones may end with `*`. */
export function sysctlProblem(pod: Pod, allowed: readonly string[]): string | undefined {
  const { hostNetwork, hostIPC } = pod.spec;
  for (const name of Object.keys(podSysctls(pod))) {
    const isNetwork = name.startsWith('net.');
    const isIpc = IPC_SYSCTLS.test(name);
    if (!SAFE_SYSCTLS.has(name) && !allowed.some((pattern) => matches(pattern, name))) {
      return `forbidden sysctl: "${name}" not allowlisted`;
    }
    if (isNetwork && hostNetwork === true) return `forbidden sysctl: "${name}" not allowed with host net enabled`;
    if (isIpc && hostIPC === true) return `forbidden sysctl: "${name}" not allowed with host ipc enabled`;
    if (!isNetwork && !isIpc) return `forbidden sysctl: "${name}" is not namespaced`;
  }
  return undefined;
}

function matches(pattern: string, name: string): boolean {
  const plain = pattern.replaceAll('/', '.');
  return plain.endsWith('*') ? name.startsWith(plain.slice(0, -1)) : name === plain;
}
