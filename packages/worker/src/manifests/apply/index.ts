export { type AppliedManifest } from './apply-manifests.ts';
export { openManifestCluster, type ManifestCluster } from './manifest-cluster.ts';
