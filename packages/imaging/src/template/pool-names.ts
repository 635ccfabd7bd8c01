import type { NodePoolConfig, PoolProvider } from './pool/schema.ts';

/** A Kubernetes object that Cluster API reads. */
export type PoolObject = Readonly<Record<string, unknown>>;

/** The name that the objects of a pool share. */
export function poolName({ cluster, name }: NodePoolConfig): string {
  return `${cluster}-${name}`;
}

/** Where an object is, and what it is called. */
export function metadata(config: NodePoolConfig): Readonly<Record<string, unknown>> {
  return { name: poolName(config), namespace: config.namespace ?? 'default' };
}

/** The version of the provider's objects. */
export const INFRASTRUCTURE: Readonly<Record<PoolProvider, { readonly apiVersion: string; readonly kind: string }>> = {
  azure: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'AzureMachineTemplate' },
  aws: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachineTemplate' },
  vsphere: { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'VSphereMachineTemplate' },
};

/** The version of Cluster API's own objects. */
export const BOOTSTRAP = { apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta1', kind: 'KubeadmConfigTemplate' };
