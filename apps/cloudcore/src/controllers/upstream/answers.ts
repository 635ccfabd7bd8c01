import {
  bareFailureAnswer,
  failureAnswer,
  GROUPS,
  type Message,
  objectAnswer,
  OK,
  OPERATIONS,
  PLAIN_RESOURCES,
  replyTo,
  SOURCES,
} from '@fenestra/contracts';
import {
  failureStatus,
  isJsonObject,
  type JsonObject,
  type KubeApi,
  type KubeObject,
  statusOf,
  stringAt,
} from '@fenestra/kube-api';
import { trimmed } from '../object-messages.ts';
import type { FailureForm, Reply } from './node-request.ts';

/** Makes the message that answers a node's message. */
export function answerMessage(message: Message, { content, resourceVersion }: Reply): Message {
  return replyTo(message, { source: SOURCES.edgeController, group: GROUPS.resource, content, resourceVersion });
}

/** The answer that carries an object and room for an error. */
export function wrapped(object: KubeObject): Reply {
  return { content: objectAnswer(trimmed(object)), resourceVersion: object.metadata.resourceVersion };
}

/** The answer that is the object. */
export function bare(object: KubeObject): Reply {
  return { content: trimmed(object), resourceVersion: object.metadata.resourceVersion };
}

/** The answer that only says yes. */
export function accepted(resourceVersion?: string): Reply {
  return { content: OK, resourceVersion };
}

/** The answer that tells a failure; undefined where none is expected. */
export function failureReply(form: FailureForm, error: unknown): Reply | undefined {
  const status = statusOf(error);
  switch (form) {
    case 'wrapped':
      return { content: failureAnswer(status) };
    case 'bare':
      return { content: bareFailureAnswer(status) };
    case 'text':
      return { content: status.message };
    case 'silent':
      return undefined;
  }
}

// Who may use which claim is not for a node to decide.
const CLAIMS: ReadonlySet<string> = new Set(['extendedResourceClaimStatus', 'resourceClaimStatuses']);
/** Directives of a strategic merge patch that remove fields which the patch does not name. */
const REMOVALS: ReadonlySet<string> = new Set(['$patch', '$retainKeys']);

/** The part of a status that a node may report. */
export function reportedStatus(status: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(status).filter(([key]) => !REMOVALS.has(key) && !CLAIMS.has(fieldOf(key))));
}

/** The field that a key of a patch is about: a directive such as `$setElementOrder/conditions` names one. */
function fieldOf(key: string): string {
  return key.startsWith('$') ? key.slice(key.indexOf('/') + 1) : key;
}

/** A patch reduced to what a node may change through it: the status, of exactly the object it means. */
export function statusPatch(patch: JsonObject): JsonObject {
  const uid = stringAt(patch, 'metadata', 'uid');
  const status = patch['status'];
  return {
    ...(uid === '' ? {} : { metadata: { uid } }),
    ...(isJsonObject(status) ? { status: reportedStatus(status) } : {}),
  };
}

/**
 * The answer to a request that a node's local API forwards: no. Upstream runs it with the cloud's own rights, for
 * whatever object the node names; a node gets an answer at once instead of waiting, and serves from its disk.
 */
export function refuseApplication(message: Message): Message {
  const reason = 'this cloud does not forward requests of nodes to the Kubernetes API';
  const application = isJsonObject(message.content) ? message.content : {};
  const error = { ErrStatus: failureStatus(405, 'MethodNotAllowed', reason) };
  return replyTo(message, {
    source: SOURCES.dynamicController,
    group: GROUPS.resource,
    operation: OPERATIONS.applicationResponse,
    resource: PLAIN_RESOURCES.applicationAnswer,
    content: { ...application, Status: 'Rejected', Reason: reason, Error: error },
  });
}

/** The answer to a node that asks for the certificate of the Kubernetes API's CA: its PEM text. */
export function apiServerCa(message: Message, { caCertificate }: Pick<KubeApi, 'caCertificate'>): Message {
  const missing = failureStatus(404, 'NotFound', 'the Kubernetes API of this cloud has no separate CA');
  return replyTo(message, {
    source: SOURCES.cloudHub,
    group: GROUPS.resource,
    operation: OPERATIONS.response,
    content: caCertificate ?? bareFailureAnswer(missing),
  });
}
