import { OPERATIONS, RESOURCE_TYPES } from '@fenestra/contracts';
import { createCsr, queryCsr } from './handlers/csr-handlers.ts';
import { createEvent, patchEvent, updateEvent } from './handlers/event-handlers.ts';
import { createLease, queryLease, updateLease } from './handlers/lease-handlers.ts';
import { patchNode, queryNode, registerNode, updateNode, updateNodeStatus } from './handlers/node-handlers.ts';
import { createMirrorPod, deletePod, patchPod, queryPod, updatePodStatuses } from './handlers/pod-handlers.ts';
import {
  queryAttachment,
  queryClaim,
  queryConfigMap,
  querySecret,
  queryVolume,
  requestToken,
} from './handlers/query-handlers.ts';
import type { NodeRequest, RequestHandler } from './node-request.ts';

const { insert, update, patch, query, delete: remove } = OPERATIONS;

/** Everything nodes may ask for, by type and operation. */
const HANDLERS: Readonly<Record<string, Readonly<Record<string, RequestHandler>>>> = {
  [RESOURCE_TYPES.node]: { [insert]: registerNode, [update]: updateNode, [query]: queryNode },
  [RESOURCE_TYPES.nodePatch]: { [patch]: patchNode },
  [RESOURCE_TYPES.nodeStatus]: { [update]: updateNodeStatus },
  [RESOURCE_TYPES.pod]: { [insert]: createMirrorPod, [remove]: deletePod, [query]: queryPod },
  [RESOURCE_TYPES.podPatch]: { [patch]: patchPod },
  [RESOURCE_TYPES.podStatus]: { [update]: updatePodStatuses },
  [RESOURCE_TYPES.lease]: { [insert]: createLease, [update]: updateLease, [query]: queryLease },
  [RESOURCE_TYPES.configMap]: { [query]: queryConfigMap },
  [RESOURCE_TYPES.secret]: { [query]: querySecret },
  [RESOURCE_TYPES.persistentVolumeClaim]: { [query]: queryClaim },
  [RESOURCE_TYPES.persistentVolume]: { [query]: queryVolume },
  [RESOURCE_TYPES.volumeAttachment]: { [query]: queryAttachment },
  [RESOURCE_TYPES.serviceAccountToken]: { [query]: requestToken },
  [RESOURCE_TYPES.certificateSigningRequest]: { [insert]: createCsr, [query]: queryCsr },
  [RESOURCE_TYPES.event]: { [insert]: createEvent, [update]: updateEvent, [patch]: patchEvent },
};

/** Who answers a request; undefined if no one does. */
export function handlerOf({ type, operation }: NodeRequest): RequestHandler | undefined {
  const ofType = Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
  return ofType !== undefined && Object.hasOwn(ofType, operation) ? ofType[operation] : undefined;
}

const SAME_OBJECT: ReadonlyMap<string, string> = new Map<string, string>([
  [RESOURCE_TYPES.nodePatch, RESOURCE_TYPES.node],
  [RESOURCE_TYPES.nodeStatus, RESOURCE_TYPES.node],
  [RESOURCE_TYPES.podPatch, RESOURCE_TYPES.pod],
  [RESOURCE_TYPES.podStatus, RESOURCE_TYPES.pod],
]);

/** Requests with the same key are about the same object, so their order matters. */
export function orderKeyOf({ type, namespace, name }: NodeRequest): string {
  return `${SAME_OBJECT.get(type) ?? type}/${namespace ?? ''}/${name}`;
}
