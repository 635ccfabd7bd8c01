export type { OpenThread } from './embedded-api/run-thread.ts';
export { ADMIN_KUBECONFIG } from './embedded-api/start-embedded-api.ts';
export type { Delivery, NodeSessions, Unsubscribe } from './hub/node-sessions.ts';
export { runCloudcore, type CloudcoreEnvironment } from './run-cloudcore.ts';
