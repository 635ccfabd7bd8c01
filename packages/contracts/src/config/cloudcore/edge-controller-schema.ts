import * as z from 'zod/mini';
import { count, positive } from '../scalars.ts';

const Buffer = z.strictObject({
  processEvent: count,
  updatePodStatus: count,
  updateNodeStatus: count,
  queryConfigMap: count,
  querySecret: count,
  podEvent: count,
  configMapEvent: count,
  secretEvent: count,
  rulesEvent: count,
  ruleEndpointsEvent: count,
  queryPersistentVolume: count,
  queryPersistentVolumeClaim: count,
  queryVolumeAttachment: count,
  createNode: count,
  patchNode: count,
  queryNode: count,
  updateNode: count,
  patchPod: count,
  deletePod: count,
  createLease: count,
  queryLease: count,
  serviceAccountToken: count,
  createPod: count,
  certificateSigningRequest: count,
});

/** Three of the names are spelled unlike the others; they are upstream's. */
const Load = z.strictObject({
  processEventWorkers: count,
  updatePodStatusWorkers: count,
  updateNodeStatusWorkers: count,
  queryConfigMapWorkers: count,
  querySecretWorkers: count,
  queryPersistentVolumeWorkers: count,
  queryPersistentVolumeClaimWorkers: count,
  queryVolumeAttachmentWorkers: count,
  createNodeWorkers: count,
  patchNodeWorkers: count,
  queryNodeWorkers: count,
  updateNodeWorkers: count,
  patchPodWorkers: count,
  deletePodWorkers: count,
  createLeaseWorkers: count,
  queryLeaseWorkers: count,
  UpdateRuleStatusWorkers: count,
  ServiceAccountTokenWorkers: count,
  CreatePodWorks: count,
  certificateSigningRequestWorkers: count,
});

/** `modules.edgeController`. */
export const EdgeController = z.strictObject({
  enable: z.boolean(),
  nodeUpdateFrequency: positive,
  buffer: Buffer,
  load: Load,
});
