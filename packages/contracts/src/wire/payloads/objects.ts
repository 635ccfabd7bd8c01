import * as z from 'zod/mini';
import { anyJson, ObjectMeta } from './kubernetes-object.ts';

// Light on purpose: a field is named only if this product reads it; all others pass through unseen.
const text = z.exactOptional(z.string());
const part = z.exactOptional(z.nullable(z.catchall(z.object({}), anyJson)));
const objectShape = { apiVersion: text, kind: text, metadata: ObjectMeta };

/** A pod, in both directions. */
export const Pod = z.catchall(
  z.object({
    ...objectShape,
    spec: z.exactOptional(z.catchall(z.object({ nodeName: text }), anyJson)),
    status: part,
  }),
  anyJson,
);
export type Pod = z.infer<typeof Pod>;

const textMap = z.exactOptional(z.nullable(z.record(z.string(), z.string())));

/** A ConfigMap. `binaryData` holds base64. */
export const ConfigMap = z.catchall(z.object({ ...objectShape, data: textMap, binaryData: textMap }), anyJson);
export type ConfigMap = z.infer<typeof ConfigMap>;

/** A Secret. `data` holds base64. */
export const Secret = z.catchall(z.object({ ...objectShape, type: text, data: textMap }), anyJson);
export type Secret = z.infer<typeof Secret>;

/** A Node. */
export const Node = z.catchall(z.object({ ...objectShape, spec: part, status: part }), anyJson);
export type Node = z.infer<typeof Node>;

/** A node's lease. The times are RFC 3339 with microseconds. */
export const Lease = z.catchall(
  z.object({
    ...objectShape,
    spec: z.exactOptional(
      z.catchall(
        z.object({
          holderIdentity: z.exactOptional(z.nullable(z.string())),
          leaseDurationSeconds: z.exactOptional(z.nullable(z.int())),
          renewTime: z.exactOptional(z.nullable(z.string())),
        }),
        anyJson,
      ),
    ),
  }),
  anyJson,
);
export type Lease = z.infer<typeof Lease>;

/** A request for a service account's token, and its answer with the token in `status`. */
export const TokenRequest = z.catchall(
  z.object({
    apiVersion: text,
    kind: text,
    metadata: z.exactOptional(ObjectMeta),
    spec: z.catchall(
      z.object({
        audiences: z.exactOptional(z.nullable(z.array(z.string()))),
        expirationSeconds: z.exactOptional(z.nullable(z.int())),
        boundObjectRef: part,
      }),
      anyJson,
    ),
    status: z.exactOptional(
      z.catchall(z.object({ token: text, expirationTimestamp: z.exactOptional(z.nullable(z.string())) }), anyJson),
    ),
  }),
  anyJson,
);
export type TokenRequest = z.infer<typeof TokenRequest>;

/** A certificate signing request. `spec.request` and `status.certificate` hold base64 of PEM. */
export const CertificateSigningRequest = z.catchall(
  z.object({
    ...objectShape,
    spec: z.catchall(z.object({ request: z.string(), signerName: z.string() }), anyJson),
    status: z.exactOptional(z.catchall(z.object({ certificate: z.exactOptional(z.nullable(z.string())) }), anyJson)),
  }),
  anyJson,
);
export type CertificateSigningRequest = z.infer<typeof CertificateSigningRequest>;

/** A core event. */
export const Event = z.catchall(
  z.object({ ...objectShape, involvedObject: part, reason: text, message: text, type: text }),
  anyJson,
);
export type Event = z.infer<typeof Event>;

/** What a node sends to change an event: `patchData` is a strategic merge patch as JSON text, or base64 of it. */
export const EventPatch = z.catchall(z.object({ event: Event, patchData: z.string() }), anyJson);
export type EventPatch = z.infer<typeof EventPatch>;
