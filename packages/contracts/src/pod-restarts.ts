import * as z from 'zod/mini';

/**
 * The folder in the node's state folder for requests to restart containers, one file for each. Only an administrator can
 * write there. The agent removes a file once it has stored the request.
 */
export const POD_RESTARTS_FOLDER = 'pod-restarts';

/** A request to restart containers of a pod. It names their instances, so that it has no effect on later ones. */
export const PodRestart = z.object({ podUid: z.string(), instances: z.array(z.string()) });
export type PodRestart = z.infer<typeof PodRestart>;
