import type { NodePoolConfig } from './pool/schema.ts';
import { metadata, poolName } from './pool-names.ts';
import type { PoolObject } from './pool-object.ts';

/**
 * A cluster whose label has the cluster's own name gets what its Windows nodes need. Labels that others give to all
 * Windows clusters would bring it to clusters with another network.
 */
export const ADD_ONS_LABEL = 'fenestra.dev/windows-network';

/** Lets Cluster API install manifests in the cluster, once there is one. */
export function resourceSet(config: NodePoolConfig, manifests: string): readonly PoolObject[] {
  const place = { ...metadata(config), name: `${poolName(config)}-network` };
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: place, data: { 'manifests.yaml': manifests } },
    {
      apiVersion: 'addons.cluster.x-k8s.io/v1beta1',
      kind: 'ClusterResourceSet',
      metadata: place,
      spec: {
        strategy: 'ApplyOnce',
        clusterSelector: { matchLabels: { [ADD_ONS_LABEL]: config.cluster } },
        resources: [{ kind: 'ConfigMap', name: place.name }],
      },
    },
  ];
}
