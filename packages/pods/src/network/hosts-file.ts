import type { Pod } from '../pod/pod.ts';
import { podNames } from './hostname.ts';

const HEADER = '# Kubernetes-managed hosts file';
const LOCAL_NAMES = [
  '127.0.0.1\tlocalhost',
  '::1\tlocalhost ip6-localhost ip6-loopback',
  'fe00::0\tip6-localnet',
  'fe00::0\tip6-mcastprefix',
  'fe00::1\tip6-allnodes',
  'fe00::2\tip6-allrouters',
];

/** The text of a pod's `/etc/hosts`. On the network of the host it begins with that of the host. */
export function hostsFile(
  pod: Pod,
  { podIps, hostFile, clusterDomain }: { podIps: readonly string[]; hostFile: string; clusterDomain: string },
): string {
  if (pod.spec.hostNetwork === true) return `${HEADER} (host network).\n${hostFile}${aliases(pod)}`;
  const { hostname, domain } = podNames(pod, clusterDomain);
  const names = domain === '' ? hostname : `${hostname}.${domain}\t${hostname}`;
  const own = podIps.map((ip) => `${ip}\t${names}`);
  return `${HEADER}.\n${[...LOCAL_NAMES, ...own].join('\n')}\n${aliases(pod)}`;
}

function aliases({ spec }: Pod): string {
  const lines = (spec.hostAliases ?? []).map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`);
  return lines.length === 0 ? '' : `\n# Entries added by HostAliases.\n${lines.join('')}`;
}
