import {
  GROUPS,
  type Message,
  newMessage,
  objectResource,
  OPERATIONS,
  RESOURCE_TYPES,
  SOURCES,
} from '@fenestra/contracts';
import type { JsonObject } from '@fenestra/kernel';

type Content = JsonObject | string | null;

/** Registers the node, or merges labels and annotations into it. */
export function nodeMessage(operation: 'insert' | 'update', name: string, node: JsonObject): Message {
  return fromEdged(operation, objectResource(null, RESOURCE_TYPES.node, name), node);
}

/** Changes the node's status. The patch travels as text. */
export function patchNode(name: string, patch: JsonObject): Message {
  return fromEdged(OPERATIONS.patch, objectResource(null, RESOURCE_TYPES.nodePatch, name), JSON.stringify(patch));
}

/** Queries, creates or renews the node's lease. */
export function leaseMessage(operation: 'query' | 'insert' | 'update', name: string, lease: Content): Message {
  return fromEdged(operation, objectResource('kube-node-lease', RESOURCE_TYPES.lease, name), lease);
}

/** Upstream's kubelet speaks as `edged`, to group `meta`. */
function fromEdged(operation: string, resource: string, content: Content): Message {
  return newMessage({ source: SOURCES.edged, group: GROUPS.meta, operation, resource, content });
}
