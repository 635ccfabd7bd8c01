import * as z from 'zod/mini';
import { field } from '../fields.ts';
import { count, flag, positive } from '../scalars.ts';

/** How many nodes one cloudcore is sized for unless the file says otherwise: queues and workers grow with it. */
export const NODE_LIMIT = 500;

const Buffer = z.strictObject({
  processEvent: field(count, 'Queue of events.', 1024),
  updatePodStatus: field(count, 'Queue of pod status.', 1024),
  updateNodeStatus: field(count, 'Queue of node status.', 1024),
  queryConfigMap: field(count, 'Queue of queries for config maps.', 1024),
  querySecret: field(count, 'Queue of queries for secrets.', 1024),
  podEvent: field(count, 'Queue of changes of pods.', 1),
  configMapEvent: field(count, 'Queue of changes of config maps.', 1),
  secretEvent: field(count, 'Queue of changes of secrets.', 1),
  rulesEvent: field(count, 'Queue of changes of rules.', 1),
  ruleEndpointsEvent: field(count, 'Queue of changes of rule endpoints.', 1),
  queryPersistentVolume: field(count, 'Queue of queries for persistent volumes.', 1024),
  queryPersistentVolumeClaim: field(count, 'Queue of queries for volume claims.', 1024),
  queryVolumeAttachment: field(count, 'Queue of queries for volume attachments.', 1024),
  createNode: field(count, 'Queue of new nodes.', 1024),
  patchNode: field(count, 'Queue of node patches.', 1024 + NODE_LIMIT / 2),
  queryNode: field(count, 'Queue of queries for nodes.', 1024 + NODE_LIMIT),
  updateNode: field(count, 'Queue of node updates.', 1024),
  patchPod: field(count, 'Queue of pod patches.', 1024),
  deletePod: field(count, 'Queue of pod deletions.', 1024),
  createLease: field(count, 'Queue of new and renewed leases.', 1024 + NODE_LIMIT),
  queryLease: field(count, 'Queue of queries for leases.', 1024),
  serviceAccountToken: field(count, 'Queue of token requests.', 1024),
  createPod: field(count, 'Queue of new pods.', 1024),
  certificateSigningRequest: field(count, 'Queue of certificate requests.', 1024),
});

/** Three of the names are spelled unlike the others; they are upstream's. */
const Load = z.strictObject({
  processEventWorkers: field(count, 'Workers for events.', 4),
  updatePodStatusWorkers: field(count, 'Workers for pod status.', 1),
  updateNodeStatusWorkers: field(count, 'Workers for node status.', 1),
  queryConfigMapWorkers: field(count, 'Workers for queries for config maps.', 100),
  querySecretWorkers: field(count, 'Workers for queries for secrets.', 100),
  queryPersistentVolumeWorkers: field(count, 'Workers for queries for persistent volumes.', 4),
  queryPersistentVolumeClaimWorkers: field(count, 'Workers for queries for volume claims.', 4),
  queryVolumeAttachmentWorkers: field(count, 'Workers for queries for volume attachments.', 4),
  createNodeWorkers: field(count, 'Workers for new nodes.', 100),
  patchNodeWorkers: field(count, 'Workers for node patches.', 100 + NODE_LIMIT / 50),
  queryNodeWorkers: field(count, 'Workers for queries for nodes.', NODE_LIMIT),
  updateNodeWorkers: field(count, 'Workers for node updates.', 4),
  patchPodWorkers: field(count, 'Workers for pod patches.', 100),
  deletePodWorkers: field(count, 'Workers for pod deletions.', 100),
  createLeaseWorkers: field(count, 'Workers for new and renewed leases.', NODE_LIMIT),
  queryLeaseWorkers: field(count, 'Workers for queries for leases.', 100),
  UpdateRuleStatusWorkers: field(count, 'Workers for rule status.', 4),
  ServiceAccountTokenWorkers: field(count, 'Workers for token requests.', 100),
  CreatePodWorks: field(count, 'Workers for new pods.', 4),
  certificateSigningRequestWorkers: field(count, 'Workers for certificate requests.', 4),
});

/** `modules.edgeController`. */
export const EdgeController = z.strictObject({
  enable: field(flag, 'Whether it runs.', true),
  nodeUpdateFrequency: field(positive, 'Seconds between two updates of node status.', 10),
  buffer: field(Buffer, 'Lengths of the queues.'),
  load: field(Load, 'Numbers of workers.'),
});
