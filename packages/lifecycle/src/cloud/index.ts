export { openCloudAdmin, type CloudAdmin, type NodeView } from './cloud-admin.ts';
export { openNodeCloud } from './node-cloud.ts';
export { signJoinToken } from './sign-join-token.ts';
export { cloudManifests } from './manifests/cloud-manifests.ts';
export { installManifests, type ManifestChange } from './manifests/install-manifests.ts';
export { cloudService } from './cloud-service.ts';
export { type CloudWishes } from './cloudcore-yaml.ts';
