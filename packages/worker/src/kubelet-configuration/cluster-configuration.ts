import { OperatorError } from '@fenestra/kernel';
import * as z from 'zod/mini';
import { tryReadYaml } from '@fenestra/contracts/kube';
import type { FeatureGates } from '../version/version-traits.ts';

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
