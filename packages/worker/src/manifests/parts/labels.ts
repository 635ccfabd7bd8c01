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
