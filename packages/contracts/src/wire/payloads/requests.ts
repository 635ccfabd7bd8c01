import * as z from 'zod/mini';
import { anyJson } from './kubernetes-object.ts';

const anyObject = z.catchall(z.object({}), anyJson);

/** What a node sends to delete a pod. */
export const DeleteOptions = z.catchall(
  z.object({
    gracePeriodSeconds: z.exactOptional(z.nullable(z.int())),
    preconditions: z.exactOptional(
      z.nullable(z.catchall(z.object({ uid: z.exactOptional(z.nullable(z.string())) }), anyJson)),
    ),
  }),
  anyJson,
);
export type DeleteOptions = z.infer<typeof DeleteOptions>;

/** A node's status as agents of old send it. */
export const NodeStatusRequest = z.catchall(z.object({ UID: z.exactOptional(z.string()), Status: anyObject }), anyJson);
export type NodeStatusRequest = z.infer<typeof NodeStatusRequest>;

/** One pod's status as agents of old send it. */
export const PodStatusRequest = z.catchall(
  z.object({ UID: z.exactOptional(z.string()), Name: z.string(), Status: anyObject }),
  anyJson,
);
export type PodStatusRequest = z.infer<typeof PodStatusRequest>;

/** Pod statuses come in batches. */
export const PodStatusRequests = z.array(PodStatusRequest);
export type PodStatusRequests = z.infer<typeof PodStatusRequests>;

/** A patch in its text form, as `nodepatch` and `podpatch` carry it, has to be an object. */
export const StatusPatch = anyObject;
export type StatusPatch = z.infer<typeof StatusPatch>;
