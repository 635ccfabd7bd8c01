import {
  GROUPS,
  newMessage,
  objectResource,
  OPERATIONS,
  SOURCES,
  type Message,
  type SyncedKind,
} from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { isJsonObject, withType, type JsonObject, type KubeObject } from '@fenestra/kube-api';

/** An object to be named in a message. */
export interface NamedObject {
  readonly kind: SyncedKind;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
}

/** Tells a node how an object is now. */
export function objectMessage(kind: SyncedKind, operation: string, object: KubeObject): Message {
  const { name, namespace, resourceVersion } = object.metadata;
  const resource = objectResource(namespace ?? null, kind.type, name);
  return messageOf(operation, resource, trimmed(object), resourceVersion);
}

/**
 * Tells a node that an object is gone. Where the object itself is not at hand, what identifies it has to do, and it
 * gets no version: any that is known is older than the deletion, and a node ignores what is older than what it has.
 */
export function deletionMessage(gone: NamedObject, object?: KubeObject): Message {
  const { name, namespace, uid } = gone;
  const metadata = { name, uid, ...(namespace === undefined ? {} : { namespace }) };
  // Upstream's MetaServer finds what to delete by the kind in the content.
  const content = withType(gone.kind, object === undefined ? { metadata } : trimmed(object));
  const resource = objectResource(namespace ?? null, gone.kind.type, name);
  return messageOf(OPERATIONS.delete, resource, content, object?.metadata.resourceVersion);
}

function messageOf(operation: string, resource: string, content: Json, resourceVersion: string | undefined): Message {
  return newMessage({
    source: SOURCES.edgeController,
    group: GROUPS.resource,
    operation,
    resource,
    content,
    resourceVersion,
  });
}

/** Who set which field is of no use to a node, and often half of an object. */
export function trimmed(object: KubeObject): JsonObject {
  if (!isJsonObject(object.metadata) || !('managedFields' in object.metadata)) return object;
  const { managedFields: _fields, ...metadata } = object.metadata;
  return { ...object, metadata };
}
