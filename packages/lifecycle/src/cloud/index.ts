export { openCloudAdmin, type CloudAdmin, type NodeView, signJoinToken } from './cloud-admin.ts';
export { openNodeCloud } from './node-cloud.ts';
export { cloudManifests } from './manifests/cloud-manifests.ts';
export { installManifests, type ManifestChange } from './manifests/install-manifests.ts';
export { kubernetesSecrets, secretDataOf, type SecretData, type SecretStore } from './kubernetes-secrets.ts';
export { isReplaced, NODE_KEYS_PREFIX, nodeKeysSecret, openNodeKeys } from './revocation/node-keys.ts';
export { openRevocations, revocationsIn, type Revocations } from './revocation/revocations.ts';
export { adminKubeconfig } from './cloud-service.ts';
export { initCloud, planCloud, type CloudInit, type InitWishes } from './init-cloud.ts';
