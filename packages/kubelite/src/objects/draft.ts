import { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts';
import type { ObjectDraft } from './kube-object.ts';
import { apiVersionOf, type ResourceKind } from './resource-kind.ts';
import { badRequest } from './status-error.ts';

const TEXTS = ['name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp'];
const TEXT_MAPS = ['labels', 'annotations'];
const OWNER_TEXTS = ['apiVersion', 'kind', 'name', 'uid'];

/** A body as an object of the kind. Throws 400 when it is something else or its metadata is of the wrong shape. */
export function parseDraft(body: Json | undefined, kind: ResourceKind): ObjectDraft {
  if (!isJsonObject(body)) throw badRequest('the body of the request is not an object');
  requireType(body, kind);
  const draft = {
    ...body,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: withoutNulls(body['metadata'] ?? {}),
  };
  if (!isDraft(draft)) throw badRequest('the metadata of the object is malformed');
  return draft;
}

/** Rewrites the version of an object that is stored in another one. */
export function inVersionOf<T extends ObjectDraft>(object: T, kind: ResourceKind): T {
  const apiVersion = apiVersionOf(kind);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

function requireType(body: JsonObject, kind: ResourceKind): void {
  const wanted = apiVersionOf(kind);
  const { apiVersion = wanted, kind: name = kind.kind } = body;
  if (name !== kind.kind)
    throw badRequest(
      `the kind of the object (${JSON.stringify(name)}) does not match the expected kind (${kind.kind})`,
    );
  if (apiVersion !== wanted)
    throw badRequest(
      `the API version in the data (${JSON.stringify(apiVersion)}) does not match the expected API version (${wanted})`,
    );
}

/** Clients write `creationTimestamp: null`. */
function withoutNulls(metadata: Json): Json {
  if (!isJsonObject(metadata)) return metadata;
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
}

function isDraft(body: JsonObject): body is ObjectDraft {
  const metadata = body['metadata'];
  if (!isJsonObject(metadata)) return false;
  const { ownerReferences = [], finalizers = [], managedFields = [] } = metadata;
  return (
    TEXTS.every((key) => metadata[key] === undefined || typeof metadata[key] === 'string') &&
    TEXT_MAPS.every((key) => metadata[key] === undefined || isTextMap(metadata[key])) &&
    isJsonArray(ownerReferences) &&
    ownerReferences.every(isOwner) &&
    isJsonArray(finalizers) &&
    finalizers.every((finalizer) => typeof finalizer === 'string') &&
    isJsonArray(managedFields) &&
    managedFields.every(isJsonObject)
  );
}

function isTextMap(value: Json): boolean {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isOwner(value: Json): boolean {
  return isJsonObject(value) && OWNER_TEXTS.every((key) => typeof value[key] === 'string');
}
