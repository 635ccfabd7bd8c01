import type { Json } from '@fenestra/kernel';
import * as z from 'zod/mini';

/** Any JSON, unchecked: it came out of a JSON parser. */
export const anyJson = z.custom<Json | undefined>((value) => value !== undefined);

/** An object of which only these fields are looked at: all others pass through unseen. */
export function looseObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.catchall(z.object(shape), anyJson);
}

/** Go writes what is empty as null, or not at all. */
function maybe<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.exactOptional(z.nullable(schema));
}

const text = z.exactOptional(z.string());
const maybeText = maybe(z.string());
const textMap = maybe(z.record(z.string(), z.string()));
const anyObject = looseObject({});
const part = maybe(anyObject);

/** Metadata of an object. */
const ObjectMeta = looseObject({
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  creationTimestamp: maybeText,
  deletionTimestamp: maybeText,
  labels: textMap,
  annotations: textMap,
});

// Upstream often leaves out `kind` and `apiVersion`.
const objectShape = { apiVersion: text, kind: text, metadata: ObjectMeta };

/** Any Kubernetes object. */
export const KubernetesObject = looseObject(objectShape);
export type KubernetesObject = z.infer<typeof KubernetesObject>;

/** A pod, in both directions. */
export const Pod = looseObject({
  ...objectShape,
  spec: z.exactOptional(looseObject({ nodeName: text })),
  status: part,
});
export type Pod = z.infer<typeof Pod>;

/** A ConfigMap. `binaryData` holds base64. */
export const ConfigMap = looseObject({ ...objectShape, data: textMap, binaryData: textMap });
export type ConfigMap = z.infer<typeof ConfigMap>;

/** A Secret. `data` holds base64. */
export const Secret = looseObject({ ...objectShape, type: text, data: textMap });
export type Secret = z.infer<typeof Secret>;

/** A Node. */
export const Node = looseObject({ ...objectShape, spec: part, status: part });
export type Node = z.infer<typeof Node>;

/** A node's lease. The times are RFC 3339 with microseconds. */
export const Lease = looseObject({
  ...objectShape,
  spec: z.exactOptional(
    looseObject({ holderIdentity: maybeText, leaseDurationSeconds: maybe(z.int()), renewTime: maybeText }),
  ),
});
export type Lease = z.infer<typeof Lease>;

/** A request for a service account's token, and its answer with the token in `status`. */
export const TokenRequest = looseObject({
  apiVersion: text,
  kind: text,
  metadata: z.exactOptional(ObjectMeta),
  spec: looseObject({
    audiences: maybe(z.array(z.string())),
    expirationSeconds: maybe(z.int()),
    boundObjectRef: part,
  }),
  status: z.exactOptional(looseObject({ token: text, expirationTimestamp: maybeText })),
});
export type TokenRequest = z.infer<typeof TokenRequest>;

/** A certificate signing request. `spec.request` and `status.certificate` hold base64 of PEM. */
export const CertificateSigningRequest = looseObject({
  ...objectShape,
  spec: looseObject({ request: z.string(), signerName: z.string() }),
  status: z.exactOptional(looseObject({ certificate: maybeText })),
});
export type CertificateSigningRequest = z.infer<typeof CertificateSigningRequest>;

/** A core event. */
export const Event = looseObject({ ...objectShape, involvedObject: part, reason: text, message: text, type: text });
export type Event = z.infer<typeof Event>;

/** What a node sends to change an event: `patchData` is a strategic merge patch as JSON text, or base64 of it. */
export const EventPatch = looseObject({ event: Event, patchData: z.string() });
export type EventPatch = z.infer<typeof EventPatch>;

/** What a node sends to delete a pod. */
export const DeleteOptions = looseObject({
  gracePeriodSeconds: maybe(z.int()),
  preconditions: maybe(looseObject({ uid: maybeText })),
});
export type DeleteOptions = z.infer<typeof DeleteOptions>;

/** A node's status as agents of old send it. */
export const NodeStatusRequest = looseObject({ UID: text, Status: anyObject });
export type NodeStatusRequest = z.infer<typeof NodeStatusRequest>;

/** One pod's status as agents of old send it. */
export const PodStatusRequest = looseObject({ UID: text, Name: z.string(), Status: anyObject });
export type PodStatusRequest = z.infer<typeof PodStatusRequest>;

/** Pod statuses come in batches. */
export const PodStatusRequests = z.array(PodStatusRequest);
export type PodStatusRequests = z.infer<typeof PodStatusRequests>;

/** A patch in its text form, as `nodepatch` and `podpatch` carry it, has to be an object. */
export const StatusPatch = anyObject;
export type StatusPatch = z.infer<typeof StatusPatch>;
