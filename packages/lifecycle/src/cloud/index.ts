export { openCloudAdmin, type CloudAdmin, type NodeView } from './cloud-admin.ts';
export { cloudManifests } from './manifests/cloud-manifests.ts';
export { installManifests, type ManifestChange } from './manifests/install-manifests.ts';
