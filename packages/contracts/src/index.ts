export { AGENT_STATUS_FILE, AgentStatus, type NodeReport } from './agent-status.ts';
export {
  DAMAGED_OBJECTS_PATH,
  readDamagedObjects,
  writeDamagedObjects,
  type DamagedObject,
} from './damaged-objects.ts';
export {
  CERTIFICATE_HEADERS,
  certificateRequestHeaders,
  KEY_USAGES,
  readCertificateRequestHeaders,
  type CertificateRequestHeaders,
  type KeyUsage,
} from './certificates/certificate-request.ts';
export {
  CERTIFICATE_PATHS,
  NODE_FOUND_TEXT,
  nodePath,
  parseCloudRequest,
  REPORT_ACCEPTED_TEXT,
  type CloudRequest,
} from './certificates/endpoints.ts';
export {
  LEGACY_SUBJECT,
  NODE_ORGANIZATION,
  nodeCommonName,
  nodeNameOf,
  nodeRequestSubject,
  type CertificateSubject,
} from './certificates/node-subject.ts';
export { CLOUD_NAMESPACE, CLOUD_SECRETS } from './certificates/secrets.ts';
export {
  readRevocation,
  REVOCATIONS_SECRET,
  revokesKey,
  writeRevocation,
  type Revocation,
} from './certificates/revocation.ts';
export {
  caHashOf,
  checkCaHash,
  checkJoinTokenTime,
  composeJoinToken,
  JOIN_TOKEN_ALGORITHM,
  JOIN_TOKEN_REFRESH_HOURS,
  parseJoinToken,
  type JoinToken,
} from './join-token/join-token.ts';
export { jwtPayload, readJwtPayload, type JoinClaims, type JwtPayload } from './join-token/jwt-claims.ts';
export { grantedReferences, isMirrorPod, MIRROR_ANNOTATION, mirrorPodProblem } from './node-restriction/mirror-pod.ts';
export { podReferences, referencedNames, type PodReference } from './node-restriction/pod-references.ts';
export { requireLabels } from './node-restriction/require-labels.ts';
export { isReservedLabel } from './node-restriction/reserved-labels.ts';
export { acknowledge, mustAcknowledge, needsAcknowledgement, OK, refuse } from './wire/acknowledgement.ts';
export { contentJson, contentText, decodeBytes, encodeBytes, readContent } from './wire/content.ts';
export { decodeMessage, peekRoute } from './wire/decode-message.ts';
export { cloudDestinationOf, nodeDestinationOf, type CloudDestination, type NodeDestination } from './wire/dispatch.ts';
export { encodeMessage } from './wire/encode-message.ts';
export {
  CONNECTION_USES,
  DEFAULT_PROJECT_ID,
  HANDSHAKE_HEADERS,
  handshakeHeaders,
  hubUrl,
  readHandshake,
  type Handshake,
  type ReceivedHeaders,
} from './wire/handshake.ts';
export { parseJson, toJson, tryParseJson } from './wire/json.ts';
export { isKeepalive, KEEPALIVE_INTERVAL_MS, KEEPALIVE_TIMEOUT_MS, newKeepalive } from './wire/keepalive.ts';
export {
  ACKNOWLEDGEMENT_TIMEOUT_MS,
  MAX_CERTIFICATE_REQUEST_BYTES,
  MAX_MESSAGE_BYTES,
  MAX_MESSAGE_DEPTH,
  MAX_NODE_MESSAGE_VALUES,
  MAX_UNACKNOWLEDGED,
  QUERY_TIMEOUT_MS,
} from './wire/limits.ts';
export {
  newMessage,
  replyTo,
  type Message,
  type MessageHeader,
  type MessageParts,
  type MessageRoute,
  type MessageStamp,
  type ReplyParts,
  type UnknownFields,
} from './wire/message.ts';
export { MAX_NODE_MESSAGE_BYTES, nodeMessageLimit, SMALL_MESSAGE_BYTES } from './wire/node-message-limit.ts';
export { objectIdentity, type ObjectIdentity } from './wire/object-identity.ts';
export {
  isNewerVersion,
  NEVER_ACKNOWLEDGED,
  objectSyncName,
  parseObjectSyncName,
  type ObjectSyncKey,
} from './wire/object-sync.ts';
export {
  EDGE_KINDS,
  STORED_KINDS,
  SYNCED_KINDS,
  type EdgeKind,
  type KindNames,
  type SyncedKind,
} from './kinds/edge-kinds.ts';
export { KubernetesObject, ObjectMeta } from './wire/payloads/kubernetes-object.ts';
export {
  ApiStatus,
  bareFailureAnswer,
  failureAnswer,
  objectAnswer,
  readObjectAnswer,
  type ObjectOutcome,
} from './wire/payloads/object-response.ts';
export {
  CertificateSigningRequest,
  ConfigMap,
  Event,
  EventPatch,
  Lease,
  Node,
  Pod,
  Secret,
  TokenRequest,
} from './wire/payloads/objects.ts';
export {
  DeleteOptions,
  NodeStatusRequest,
  PodStatusRequest,
  PodStatusRequests,
  StatusPatch,
} from './wire/payloads/requests.ts';
export {
  formatResource,
  objectResource,
  parseResource,
  type LegacyTaskResource,
  type ObjectResource,
  type PlainResource,
  type Resource,
  type TaskResource,
  type TwinResource,
} from './wire/resource.ts';
export { GROUPS, OPERATIONS, PLAIN_RESOURCES, RESOURCE_TYPES, SOURCES, TASK_API_VERSION } from './wire/route-names.ts';
export { type ConfigNote, type LoadedConfig } from './config/config-note.ts';
export { durationMilliseconds } from './config/duration.ts';
export { cloudcoreDefaults, type CloudHost } from './config/cloudcore/load.ts';
export { loadCloudcoreConfig } from './config/cloudcore/load.ts';
export { type CloudcoreConfig } from './config/cloudcore/schema.ts';
export { defaultCloudcoreYaml, minimalCloudcoreYaml } from './config/cloudcore/load.ts';
export { splitByComma } from './config/edit/assignment.ts';
export { blankToken } from './config/edit/blank-token.ts';
export { configDigest } from './config/edit/config-digest.ts';
export { diffConfig, type ConfigChange } from './config/edit/diff-config.ts';
export { restartKeys } from './config/edit/restart-keys.ts';
export { redactConfig } from './config/edit/secret-fields.ts';
export { requireAssignments, setInYaml } from './config/edit/set-in-yaml.ts';
export { settingsYaml } from './config/edit/settings-yaml.ts';
export { edgecoreDefaults, type EdgeHost } from './config/edgecore/load.ts';
export { edgePaths, type EdgePaths, type NodeOs } from './config/edgecore/edge-paths.ts';
export { loadEdgecoreConfig } from './config/edgecore/load.ts';
export { type EdgecoreConfig } from './config/edgecore/schema.ts';
export { defaultEdgecoreYaml, minimalEdgecoreYaml } from './config/edgecore/load.ts';
export {
  actionOf,
  COMPONENT_FLAGS,
  parseComponentFlags,
  verbosityOf,
  type ComponentAction,
} from './command-line/component-flags.ts';

export { compareVersions, isVersion, versionTag } from './release/version.ts';
