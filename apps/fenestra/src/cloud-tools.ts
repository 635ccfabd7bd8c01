/** What talks to a cloud or a cluster. It is heavy, so only commands that need it load it. */
export { adminKubeconfig, initCloud, openCloudAdmin, openNodeCloud, planCloud } from '@fenestra/lifecycle/cloud';
export { discoverCluster, openWorkerCluster } from '@fenestra/worker/cluster';
export { openManifestCluster } from '@fenestra/worker/manifests/apply';
