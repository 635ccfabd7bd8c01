import * as z from 'zod/mini';
import type { Json } from '@fenestra/kernel';

/** Any JSON, unchecked: it came out of a JSON parser. */
export const anyJson = z.custom<Json | undefined>((value) => value !== undefined);

// Go writes empty maps and lists as null, or not at all.
const labels = z.exactOptional(z.nullable(z.record(z.string(), z.string())));
const text = z.exactOptional(z.string());

/** Metadata of an object. Go writes a time that was never set as null. */
export const ObjectMeta = z.catchall(
  z.object({
    name: text,
    generateName: text,
    namespace: text,
    uid: text,
    resourceVersion: text,
    creationTimestamp: z.exactOptional(z.nullable(z.string())),
    deletionTimestamp: z.exactOptional(z.nullable(z.string())),
    labels,
    annotations: labels,
  }),
  anyJson,
);
export type ObjectMeta = z.infer<typeof ObjectMeta>;

/** Any Kubernetes object. Upstream often leaves out `kind` and `apiVersion`. */
export const KubernetesObject = z.catchall(z.object({ apiVersion: text, kind: text, metadata: ObjectMeta }), anyJson);
export type KubernetesObject = z.infer<typeof KubernetesObject>;
