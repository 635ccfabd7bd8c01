import { CLOUD_NAMESPACE } from '@fenestra/contracts';
import type { KubeObject } from '@fenestra/kube-api';
import { ACCESS_RULES, CLOUD_ACCOUNT } from './access-rules.ts';
import { DEFINITIONS } from './definitions.ts';

/** Which cluster the manifests are for. */
export interface ManifestChoice {
  /** The embedded API has fixed rights: no roles to install. */
  readonly embedded: boolean;
}

/** Everything a cluster needs for cloudcore to work in it, in the order of installation. */
export function cloudManifests({ embedded }: ManifestChoice): readonly KubeObject[] {
  const metadata = { name: CLOUD_ACCOUNT, namespace: CLOUD_NAMESPACE };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: CLOUD_NAMESPACE } },
    ...DEFINITIONS,
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    ...(embedded ? [] : ACCESS_RULES),
  ];
}
