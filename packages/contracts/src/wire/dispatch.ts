import { isKeepalive } from './keepalive.ts';
import type { Message } from './message.ts';
import { GROUPS, OPERATIONS, PLAIN_RESOURCES, RESOURCE_TYPES, SOURCES } from './route-names.ts';

/** The part of a node that a message from the cloud is for. */
export type NodeDestination =
  | 'waiting-caller'
  | 'meta'
  | 'twin'
  | 'event-bus'
  | 'service-bus'
  | 'task-manager'
  | 'unknown';

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

/** Node side: who gets a message from the cloud. */
export function nodeDestinationOf({ header, route }: Message): NodeDestination {
  const isAnswer = header.parentId !== undefined;
  if (route.group === GROUPS.resource || route.group === GROUPS.func) return isAnswer ? 'waiting-caller' : 'meta';
  if (route.group === GROUPS.twin) return 'twin';
  if (route.group === GROUPS.user) return isAnswer ? 'waiting-caller' : busOf(route.source);
  return route.group === GROUPS.taskManager ? 'task-manager' : 'unknown';
}

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

function busOf(source: string): NodeDestination {
  if (source === SOURCES.routerEventBus) return 'event-bus';
  return source === SOURCES.routerServiceBus ? 'service-bus' : 'unknown';
}

function controllerOf(source: string): CloudDestination {
  if (CLOUD_SOURCES.has(source)) return 'forged';
  if (source === SOURCES.metaServer) return 'dynamic-controller';
  return source === SOURCES.twin ? 'device-controller' : 'edge-controller';
}
