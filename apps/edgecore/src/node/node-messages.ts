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

const LEASE_NAMESPACE = 'kube-node-lease';
const CLUSTER = null;

/** Registers the node. */
export function registerNode(name: string, node: JsonObject): Message {
  return fromEdged(OPERATIONS.insert, objectResource(CLUSTER, RESOURCE_TYPES.node, name), node);
}

/** Merges labels and annotations into the node. */
export function updateNode(name: string, node: JsonObject): Message {
  return fromEdged(OPERATIONS.update, objectResource(CLUSTER, RESOURCE_TYPES.node, name), node);
}

/** Changes the node's status. The patch travels as text. */
export function patchNode(name: string, patch: JsonObject): Message {
  return fromEdged(OPERATIONS.patch, objectResource(CLUSTER, RESOURCE_TYPES.nodePatch, name), JSON.stringify(patch));
}

/** Asks for the node's lease. */
export function queryLease(name: string): Message {
  return fromEdged(OPERATIONS.query, leaseResource(name), null);
}

/** Creates the node's lease. */
export function insertLease(name: string, lease: JsonObject): Message {
  return fromEdged(OPERATIONS.insert, leaseResource(name), lease);
}

/** Renews the node's lease. */
export function updateLease(name: string, lease: JsonObject): Message {
  return fromEdged(OPERATIONS.update, leaseResource(name), lease);
}

function leaseResource(name: string): string {
  return objectResource(LEASE_NAMESPACE, RESOURCE_TYPES.lease, name);
}

/** Upstream's kubelet speaks as `edged`, to group `meta`. */
function fromEdged(operation: string, resource: string, content: JsonObject | string | null): Message {
  return newMessage({ source: SOURCES.edged, group: GROUPS.meta, operation, resource, content });
}
