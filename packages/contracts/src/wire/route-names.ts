/** The verbs of the protocol, under the names upstream gives them. Task actions come on top: any string is legal. */
export const OPERATIONS = {
  insert: 'insert',
  delete: 'delete',
  query: 'query',
  update: 'update',
  patch: 'patch',
  get: 'get',
  upload: 'upload',
  response: 'response',
  error: 'error',
  keepalive: 'keepalive',
  connected: 'connected',
  disconnected: 'disconnected',
  connect: 'connect',
  publish: 'publish',
  subscribe: 'subscribe',
  unsubscribe: 'unsubscribe',
  message: 'message',
  getResult: 'get_result',
  start: 'start',
  stop: 'stop',
  applicationResponse: 'applicationResponse',
  updateNodeActionStatus: 'UpdateNodeActionStatus',
  unholdUpgrade: 'unhold-upgrade',
  createVolume: 'createvolume',
  deleteVolume: 'deletevolume',
  controllerPublishVolume: 'controllerpublishvolume',
  controllerUnpublishVolume: 'controllerunpublishvolume',
  upgrade: 'upgrade',
  prepull: 'prepull',
} as const;

/** What a message is for, at the side that receives it. */
export const GROUPS = {
  resource: 'resource',
  meta: 'meta',
  twin: 'twin',
  func: 'func',
  user: 'user',
  hub: 'hub',
  taskManager: 'taskmanager',
  dynamicController: 'dynamiccontroller',
} as const;

/** The module that sends a message. */
export const SOURCES = {
  cloudHub: 'cloudhub',
  edgeController: 'edgecontroller',
  deviceController: 'devicecontroller',
  syncController: 'synccontroller',
  dynamicController: 'dynamiccontroller',
  policyController: 'policycontroller',
  taskManager: 'taskmanager',
  nodeUpgradeJobController: 'nodeupgradejobcontroller',
  routerEventBus: 'router_eventbus',
  routerServiceBus: 'router_servicebus',
  cloudStream: 'cloudStream',
  /** The node's hub client, under the name the wire knows it by. */
  webSocket: 'websocket',
  edgeHub: 'edgehub',
  edged: 'edged',
  metaManager: 'metamanager',
  metaServer: 'metaserver',
  twin: 'twin',
  bus: 'bus',
  eventBus: 'eventbus',
  serviceBus: 'servicebus',
} as const;

/** The type token of a resource string. Dynamic watches use further ones: any string is legal. */
export const RESOURCE_TYPES = {
  pod: 'pod',
  podStatus: 'podstatus',
  podPatch: 'podpatch',
  podList: 'podlist',
  configMap: 'configmap',
  secret: 'secret',
  serviceAccountToken: 'serviceaccounttoken',
  node: 'node',
  nodeStatus: 'nodestatus',
  nodePatch: 'nodepatch',
  lease: 'lease',
  event: 'event',
  certificateSigningRequest: 'certificatesigningrequest',
  persistentVolume: 'persistentvolume',
  persistentVolumeClaim: 'persistentvolumeclaim',
  volumeAttachment: 'volumeattachment',
  volume: 'volume',
  rule: 'rule',
  ruleEndpoint: 'ruleendpoint',
  ruleStatus: 'rulestatus',
  serviceAccountAccess: 'serviceaccountaccess',
  service: 'service',
  endpoints: 'endpoints',
  device: 'device',
  deviceModel: 'devicemodel',
  deviceMapper: 'devicemapper',
  membership: 'membership',
  twin: 'twin',
} as const;

/** Resource strings that are names of their own, without namespace, type and name. */
export const PLAIN_RESOURCES = {
  /** The keepalive's. */
  node: 'node',
  /** The connection event inside the node. */
  connection: 'node/connection',
  apiServerCa: 'k8s/ca.crt',
  membershipDetail: 'membership/detail',
  /** MetaServer's forwarded requests. */
  application: 'null',
  applicationAnswer: 'ignore/Application/ignore',
  watchApplications: 'watchapp/sync',
} as const;

/** The group of the node task kinds, and the version that is written first in their resource strings. */
export const TASK_API_VERSION = 'operations.kubeedge.io/v1alpha2';
