import type { Pod } from '../pod/pod.ts';

const MAX_HOSTNAME = 63;
const MAX_KERNEL_HOSTNAME = 64;

/** The names of a pod on the network. */
export interface PodNames {
  readonly hostname: string;
  /** Empty without a subdomain. */
  readonly domain: string;
}

/** The name of a pod and the domain it is in. */
export function podNames({ metadata, spec }: Pod, clusterDomain: string): PodNames {
  const hostname = spec.hostname ?? metadata.name.slice(0, MAX_HOSTNAME).replace(/[-.]+$/, '');
  const domain = spec.subdomain ? `${spec.subdomain}.${metadata.namespace}.svc.${clusterDomain}` : '';
  return { hostname, domain };
}

/** The hostname that the sandbox gets: empty on the network of the host, which has its own. */
export function sandboxHostname(pod: Pod, clusterDomain: string): string {
  if (pod.spec.hostNetwork === true) return '';
  const { hostname, domain } = podNames(pod, clusterDomain);
  return pod.spec.setHostnameAsFQDN === true && domain !== '' ? `${hostname}.${domain}` : hostname;
}

/** Why a pod cannot have the hostname it asks for; undefined if it can. */
export function hostnameProblem(pod: Pod, clusterDomain: string): string | undefined {
  const name = sandboxHostname(pod, clusterDomain);
  if (name.length <= MAX_KERNEL_HOSTNAME) return undefined;
  return `the hostname "${name}" is longer than ${MAX_KERNEL_HOSTNAME} characters`;
}
