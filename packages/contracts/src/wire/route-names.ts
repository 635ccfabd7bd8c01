/** The verbs of the protocol, under the names upstream gives them. Task actions come on top: any string is legal. */
export const OPERATIONS = {
  insert: 'insert',
  delete: 'delete',
  query: 'query',
  update: 'update',
  patch: 'patch',
  upload: 'upload',
  response: 'response',
  error: 'error',
  keepalive: 'keepalive',
  applicationResponse: 'applicationResponse',
  updateNodeActionStatus: 'UpdateNodeActionStatus',
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
  taskManager: 'taskmanager',
  nodeUpgradeJobController: 'nodeupgradejobcontroller',
  cloudStream: 'cloudStream',
  /** The node's hub client, under the name the wire knows it by. */
  webSocket: 'websocket',
  edged: 'edged',
  metaManager: 'metamanager',
  metaServer: 'metaserver',
  twin: 'twin',
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
  membership: 'membership',
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
