import type { NodePoolConfig } from './pool/schema.ts';
import { BOOTSTRAP, INFRASTRUCTURE, metadata, poolName } from './pool-names.ts';
import type { PoolObject } from './pool-object.ts';

/** The pool itself: how many machines there are, and what they are made of. */
export function machineDeployment(config: NodePoolConfig): PoolObject {
  const { cluster, replicas = 1, kubernetesVersion } = config;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineDeployment',
    // Names of machines begin with it, so it is as short as can be.
    metadata: { ...metadata(config), name: config.name, labels: { 'cluster.x-k8s.io/cluster-name': cluster } },
    spec: {
      clusterName: cluster,
      replicas,
      selector: { matchLabels: null },
      template: {
        metadata: { labels: { 'node.cluster.x-k8s.io/pool': config.name } },
        spec: {
          clusterName: cluster,
          version: kubernetesVersion,
          bootstrap: { configRef: { ...BOOTSTRAP, name: poolName(config) } },
          infrastructureRef: { ...INFRASTRUCTURE[config.provider], name: poolName(config) },
        },
      },
    },
  };
}
