export { manifestsYaml } from './windows-manifests.ts';
export { POD_NETWORKS, type ManifestRequest } from './request/manifest-request.ts';
export { readRequest, type GivenRequest } from './request/read-request.ts';
export { windowsManifests, type WindowsManifests } from './windows-manifests.ts';
