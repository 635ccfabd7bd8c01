import { isKeepalive } from './handshake.ts';
import type { Message } from './message.ts';
import { GROUPS, OPERATIONS, PLAIN_RESOURCES, RESOURCE_TYPES, SOURCES } from './route-names.ts';

/** The part of the cloud that a message from a node is for. */
export type CloudDestination =
  | 'keepalive'
  | 'waiting-volume-call'
  | 'acknowledgement'
  | 'refusal'
  | 'router'
  | 'task-manager'
  | 'api-server-ca'
  | 'dynamic-controller'
  | 'device-controller'
  | 'edge-controller'
  | 'forged';

/** Cloud side: who gets a message from a node. A node that speaks for a cloud module is `forged`: drop it. */
export function cloudDestinationOf(message: Pick<Message, 'route'>): CloudDestination {
  const { group, operation, resource, source } = message.route;
  if (isKeepalive(message)) return 'keepalive';
  if (VOLUME_RESOURCE.test(resource)) return 'waiting-volume-call';
  if (operation === OPERATIONS.response) return 'acknowledgement';
  if (operation === OPERATIONS.error) return 'refusal';
  if (operation === OPERATIONS.upload && group === GROUPS.user) return 'router';
  if (TASK_REPORTS.has(operation)) return 'task-manager';
  return resource === PLAIN_RESOURCES.apiServerCa ? 'api-server-ca' : controllerOf(source);
}

const VOLUME_RESOURCE = new RegExp(String.raw`^\w[-\w.+]*/${RESOURCE_TYPES.volume}/\w[-\w.+]*`);

const TASK_REPORTS: ReadonlySet<string> = new Set([
  OPERATIONS.prepull,
  OPERATIONS.upgrade,
  OPERATIONS.updateNodeActionStatus,
]);

const CLOUD_SOURCES: ReadonlySet<string> = new Set([
  SOURCES.cloudHub,
  SOURCES.cloudStream,
  SOURCES.deviceController,
  SOURCES.edgeController,
  SOURCES.syncController,
]);

function controllerOf(source: string): CloudDestination {
  if (CLOUD_SOURCES.has(source)) return 'forged';
  if (source === SOURCES.metaServer) return 'dynamic-controller';
  return source === SOURCES.twin ? 'device-controller' : 'edge-controller';
}
