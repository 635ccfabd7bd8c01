import { KUBELET_EVENTS, type KubeletEvent } from '../events/kubelet-event.ts';
import type { Pod } from '../pod/pod.ts';

/** How names are resolved, in the form of the runtime interface. */
export interface DnsConfig {
  readonly servers: string[];
  readonly searches: string[];
  readonly options: string[];
}

/** What the name resolution of a pod depends on besides the pod. */
export interface DnsFacts {
  readonly clusterDns: readonly string[];
  readonly clusterDomain: string;
  /** The content of the host's file; undefined if the node is configured to use none. */
  readonly host: DnsConfig | undefined;
}

/** The name resolution of a pod, and what an event has to say about it. */
export interface PodDns {
  readonly config: DnsConfig;
  readonly warnings: readonly KubeletEvent[];
}

const MAX_SERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;
const NO_DNS: DnsConfig = { servers: ['127.0.0.1'], searches: ['.'], options: [] };

/** The name resolution of a pod by its policy and its own settings, cut to what resolvers accept. */
export function podDns(pod: Pod, facts: DnsFacts): PodDns {
  const { dnsConfig } = pod.spec;
  const usesCluster = isClusterPolicy(pod);
  const lacksCluster = usesCluster && facts.clusterDns.length === 0;
  const base = baseConfig(pod, facts, usesCluster && !lacksCluster);
  const whole: DnsConfig = {
    servers: unique([...base.servers, ...(dnsConfig?.nameservers ?? [])]),
    searches: unique([...base.searches, ...(dnsConfig?.searches ?? [])]),
    options: mergeOptions(base.options, dnsConfig?.options ?? []),
  };
  const config = fit(whole);
  return {
    config,
    warnings: [
      ...(lacksCluster ? [KUBELET_EVENTS.clusterDnsMissing(pod)] : []),
      ...(config.servers.length < whole.servers.length ? [KUBELET_EVENTS.nameserversCut(config.servers)] : []),
      ...(config.searches.length < whole.searches.length ? [KUBELET_EVENTS.searchesCut(config.searches)] : []),
    ],
  };
}

/** Reads a `resolv.conf`. */
export function parseResolvConf(text: string): DnsConfig {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  const last = (keyword: string): string[] => lines.findLast(([word]) => word === keyword)?.slice(1) ?? [];
  return {
    servers: lines.flatMap(([word, address]) => (word === 'nameserver' && address !== undefined ? [address] : [])),
    searches: last('search'),
    options: last('options'),
  };
}

function isClusterPolicy({ spec }: Pod): boolean {
  if (spec.dnsPolicy === 'ClusterFirstWithHostNet') return true;
  return spec.dnsPolicy === 'ClusterFirst' && spec.hostNetwork !== true;
}

function baseConfig({ metadata, spec }: Pod, facts: DnsFacts, usesCluster: boolean): DnsConfig {
  const { host = NO_DNS, clusterDns, clusterDomain } = facts;
  if (spec.dnsPolicy === 'None') return { servers: [], searches: [], options: [] };
  if (!usesCluster) return host;
  const own =
    clusterDomain === '' ? [] : [`${metadata.namespace}.svc.`, 'svc.', ''].map((part) => part + clusterDomain);
  const hostSearches = facts.host?.searches ?? [];
  return { servers: [...clusterDns], searches: unique([...own, ...hostSearches]), options: ['ndots:5'] };
}

/** An option of the pod replaces one of the same name. */
function mergeOptions(
  base: readonly string[],
  own: readonly { readonly name?: string; readonly value?: string }[],
): string[] {
  const merged = new Map(base.map((option) => [option.split(':')[0] ?? '', option]));
  for (const { name = '', value } of own) merged.set(name, value ? `${name}:${value}` : name);
  merged.delete('');
  return [...merged.values()];
}

function fit({ servers, searches, options }: DnsConfig): DnsConfig {
  const fitting: string[] = [];
  let characters = 0;
  for (const search of searches.slice(0, MAX_SEARCHES)) {
    characters += search.length + 1;
    if (characters > MAX_SEARCH_CHARACTERS) break;
    fitting.push(search);
  }
  return { servers: servers.slice(0, MAX_SERVERS), searches: fitting, options };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
