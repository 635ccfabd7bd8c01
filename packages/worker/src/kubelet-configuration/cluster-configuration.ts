import { isIP, isIPv4 } from 'node:net';
import { tryReadYaml } from '@fenestra/contracts/kube';
import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import type { FeatureGates } from '../version-traits.ts';

/** What a worker wants to know of its cluster's configuration. */
export interface ClusterConfiguration {
  /** Of the control plane: `v1.33.1`. */
  readonly kubernetesVersion: string;
  readonly clusterName: string;
  /** On the control plane, and by kubeadm's habit on every worker. */
  readonly certificatesDir: string;
  readonly imageRepository: string;
  /** One range, or two separated by a comma. */
  readonly serviceSubnet: string;
  readonly podSubnet: string;
  readonly dnsDomain: string;
  readonly featureGates: FeatureGates;
}

/** Reads the `ClusterConfiguration` of the ConfigMap `kubeadm-config`, of any version, filled up with kubeadm's defaults. */
export function parseClusterConfiguration(text: string): ClusterConfiguration {
  const parsed = z.safeParse(Schema, tryReadYaml(text));
  if (!parsed.success) throw unreadable(parsed.error.issues[0]?.path.join('.') ?? '');
  const { networking, ...cluster } = parsed.data;
  return {
    kubernetesVersion: cluster.kubernetesVersion ?? '',
    clusterName: cluster.clusterName || 'kubernetes',
    certificatesDir: cluster.certificatesDir || '/etc/kubernetes/pki',
    imageRepository: cluster.imageRepository || 'registry.k8s.io',
    serviceSubnet: networking?.serviceSubnet || '10.96.0.0/12',
    podSubnet: networking?.podSubnet ?? '',
    dnsDomain: networking?.dnsDomain || 'cluster.local',
    featureGates: cluster.featureGates ?? {},
  };
}

const text = z.optional(z.nullable(z.string()));

/** What is not listed is none of a worker's business, so newer versions may say more. */
const Schema = z.object({
  apiVersion: z.string().check(z.startsWith('kubeadm.k8s.io/')),
  kind: z.literal('ClusterConfiguration'),
  kubernetesVersion: text,
  clusterName: text,
  certificatesDir: text,
  imageRepository: text,
  networking: z.optional(z.nullable(z.object({ serviceSubnet: text, podSubnet: text, dnsDomain: text }))),
  featureGates: z.optional(z.nullable(z.record(z.string(), z.boolean()))),
});

function unreadable(field: string): OperatorError {
  const where = field === '' ? '' : `: "${field}" is not as expected`;
  return new OperatorError('CONFIG_INVALID', `Cannot read the configuration of the cluster${where}`, {
    hint: 'Look at it with "kubectl -n kube-system get configmap kubeadm-config -o yaml".',
  });
}

/** Where a cluster's DNS is by kubeadm's habit: the tenth address of its service range. */
const DNS_INDEX = 10n;

/** The address of the cluster's DNS in its range of services, or the first of two ranges; `undefined` if it has none. */
export function dnsAddress(serviceSubnet: string): string | undefined {
  const [range = ''] = serviceSubnet.split(',');
  const [, address = '', prefix = ''] = /^([^/]+)\/(\d{1,3})$/.exec(range.trim()) ?? [];
  if (isIP(address) === 0) return undefined;
  const bits = isIPv4(address) ? 32 : 128;
  const hostBits = BigInt(Math.max(0, bits - Number(prefix)));
  if (DNS_INDEX >= 1n << hostBits) return undefined;
  const first = (numberOf(address) >> hostBits) << hostBits;
  return isIPv4(address) ? ipv4Text(first + DNS_INDEX) : ipv6Text(first + DNS_INDEX);
}

function numberOf(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);
  const [head = '', tail] = canonical(address).split('::');
  const [left, right] = [head, tail ?? ''].map((half) => half.split(':').filter((group) => group !== ''));
  const missing = 8 - (left?.length ?? 0) - (right?.length ?? 0);
  const groups = [...(left ?? []), ...Array.from({ length: missing }, () => '0'), ...(right ?? [])];
  return groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

function ipv4Text(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
}

function ipv6Text(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0');
  return canonical((hex.match(/.{4}/g) ?? []).join(':'));
}

/** The one short spelling of an IPv6 address, which an address in a URL has. */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
