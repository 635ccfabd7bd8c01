import type { CloudcoreConfig } from './schema.ts';

type EdgeController = CloudcoreConfig['modules']['edgeController'];

/** KubeEdge's defaults of `edgeController`: queues and workers grow with the number of nodes. */
export function edgeControllerDefaults(nodeLimit: number): EdgeController {
  return { enable: true, nodeUpdateFrequency: 10, buffer: buffer(nodeLimit), load: load(nodeLimit) };
}

function buffer(nodeLimit: number): EdgeController['buffer'] {
  return {
    processEvent: 1024,
    updatePodStatus: 1024,
    updateNodeStatus: 1024,
    queryConfigMap: 1024,
    querySecret: 1024,
    podEvent: 1,
    configMapEvent: 1,
    secretEvent: 1,
    rulesEvent: 1,
    ruleEndpointsEvent: 1,
    queryPersistentVolume: 1024,
    queryPersistentVolumeClaim: 1024,
    queryVolumeAttachment: 1024,
    createNode: 1024,
    patchNode: 1024 + Math.floor(nodeLimit / 2),
    queryNode: 1024 + nodeLimit,
    updateNode: 1024,
    patchPod: 1024,
    deletePod: 1024,
    createLease: 1024 + nodeLimit,
    queryLease: 1024,
    serviceAccountToken: 1024,
    createPod: 1024,
    certificateSigningRequest: 1024,
  };
}

function load(nodeLimit: number): EdgeController['load'] {
  return {
    processEventWorkers: 4,
    updatePodStatusWorkers: 1,
    updateNodeStatusWorkers: 1,
    queryConfigMapWorkers: 100,
    querySecretWorkers: 100,
    queryPersistentVolumeWorkers: 4,
    queryPersistentVolumeClaimWorkers: 4,
    queryVolumeAttachmentWorkers: 4,
    createNodeWorkers: 100,
    patchNodeWorkers: 100 + Math.floor(nodeLimit / 50),
    queryNodeWorkers: nodeLimit,
    updateNodeWorkers: 4,
    patchPodWorkers: 100,
    deletePodWorkers: 100,
    createLeaseWorkers: nodeLimit,
    queryLeaseWorkers: 100,
    UpdateRuleStatusWorkers: 4,
    ServiceAccountTokenWorkers: 100,
    CreatePodWorks: 4,
    certificateSigningRequestWorkers: 4,
  };
}
