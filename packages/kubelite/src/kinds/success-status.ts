import type { JsonObject } from '../objects/json.ts';

/** The `Status` that says something was done. */
export function successStatus(): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
}
