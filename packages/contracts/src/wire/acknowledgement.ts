import { replyTo, type Message, type MessageStamp } from './message.ts';
import { objectIdentity } from './object-identity.ts';
import { parseResource } from './resource.ts';
import { GROUPS, OPERATIONS, PLAIN_RESOURCES, RESOURCE_TYPES, SOURCES } from './route-names.ts';

/** What an acknowledgement carries, and the plain answer to an update. */
export const OK = 'OK';

/**
 * Cloud side: whether a message to a node is sent until the node has acknowledged it.
 * Upstream searches for its exceptions anywhere in the resource string, so that a ConfigMap named "podlist" would go
 * out unsecured; here the resource's type decides, which every node can live with since it acknowledges both.
 */
export function needsAcknowledgement(message: Message): boolean {
  const { group, operation, source } = message.route;
  if (group !== GROUPS.resource || UNSECURED_OPERATIONS.has(operation) || UNSECURED_SOURCES.has(source)) return false;
  if (isAnswerWithoutObject(message)) return false;
  return !isUnsecuredResource(message);
}

/**
 * Node side: whether the cloud waits for an acknowledgement of this message. What was not asked for is always
 * acknowledged, of unknown types too: a missing acknowledgement holds up everything behind it in upstream's cloud.
 */
export function mustAcknowledge(message: Message): boolean {
  const { group, operation } = message.route;
  if (group !== GROUPS.resource && group !== GROUPS.func) return false;
  if (message.header.parentId === undefined) return !NEVER_ACKNOWLEDGED.has(operation);
  return needsAcknowledgement(message);
}

/** Node side: says that a message was stored. */
export function acknowledge(message: Message, stamp?: MessageStamp): Message {
  return replyTo(message, { source: SOURCES.metaManager, content: OK }, stamp);
}

/** Node side: says that a message could not be stored. The cloud will send it again. */
export function refuse(message: Message, reason: string, stamp?: MessageStamp): Message {
  return replyTo(message, { source: SOURCES.metaManager, operation: OPERATIONS.error, content: reason }, stamp);
}

const UNSECURED_OPERATIONS: ReadonlySet<string> = new Set([
  OPERATIONS.createVolume,
  OPERATIONS.deleteVolume,
  OPERATIONS.controllerPublishVolume,
  OPERATIONS.controllerUnpublishVolume,
  OPERATIONS.applicationResponse,
]);

const UNSECURED_SOURCES: ReadonlySet<string> = new Set([SOURCES.taskManager, SOURCES.nodeUpgradeJobController]);

const NEVER_ACKNOWLEDGED: ReadonlySet<string> = new Set([
  ...UNSECURED_OPERATIONS,
  OPERATIONS.response,
  OPERATIONS.error,
  OPERATIONS.keepalive,
]);

const UNSECURED_TYPES: ReadonlySet<string> = new Set([
  RESOURCE_TYPES.podList,
  RESOURCE_TYPES.membership,
  RESOURCE_TYPES.serviceAccountToken,
]);

const UNSECURED_CONTROLLER_TYPES: ReadonlySet<string> = new Set([
  RESOURCE_TYPES.lease,
  RESOURCE_TYPES.nodePatch,
  RESOURCE_TYPES.podPatch,
  RESOURCE_TYPES.podStatus,
  RESOURCE_TYPES.certificateSigningRequest,
]);

// An "OK", an error or a PEM text is nothing to store: only an answer with an object in it is acknowledged.
function isAnswerWithoutObject(message: Message): boolean {
  if (message.route.operation === OPERATIONS.error) return true;
  return message.route.operation === OPERATIONS.response && objectIdentity(message.content)?.uid === undefined;
}

function isUnsecuredResource({ route }: Message): boolean {
  const resource = parseResource(route.resource);
  if (resource.form === 'plain') return isUnsecuredText(resource.text);
  if (resource.form === 'twin') return resource.event === 'cloud_updated';
  if (resource.form !== 'object') return false;
  return UNSECURED_TYPES.has(resource.type) || isUnsecuredOfController(route, resource.type);
}

function isUnsecuredText(text: string): boolean {
  return text === PLAIN_RESOURCES.apiServerCa || text.split('/').includes(RESOURCE_TYPES.membership);
}

function isUnsecuredOfController({ source, operation }: Message['route'], type: string): boolean {
  if (source !== SOURCES.edgeController) return false;
  if (type === RESOURCE_TYPES.node) return operation !== OPERATIONS.update;
  if (type === RESOURCE_TYPES.pod) return operation === OPERATIONS.response;
  return UNSECURED_CONTROLLER_TYPES.has(type);
}
