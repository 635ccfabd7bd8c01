export { AGENT_STATUS_FILE, AgentStatus, type NodeReport, type PodReport } from './agent-status.ts';
export { POD_RESTARTS_FOLDER, PodRestart } from './pod-restarts.ts';
export {
  DAMAGED_OBJECTS_PATH,
  readDamagedObjects,
  writeDamagedObjects,
  type DamagedObject,
} from './damaged-objects.ts';
export {
  certificateRequestHeaders,
  readCertificateRequestHeaders,
  type CertificateRequestHeaders,
  type KeyUsage,
} from './certificates/certificate-request.ts';
export { CERTIFICATE_PATHS, NODE_FOUND_TEXT, nodePath, parseCloudRequest } from './certificates/endpoints.ts';
export {
  LEGACY_SUBJECT,
  NODE_ORGANIZATION,
  nodeCommonName,
  nodeNameOf,
  nodeRequestSubject,
} from './certificates/certificate-request.ts';
export { CLOUD_NAMESPACE, CLOUD_SECRETS } from './certificates/revocation.ts';
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
  parseJoinToken,
  type JoinToken,
} from './join-token.ts';
export { jwtPayload, readJwtPayload, type JoinClaims } from './join-token.ts';
export { grantedReferences, isMirrorPod, MIRROR_ANNOTATION, mirrorPodProblem } from './node-restriction/mirror-pod.ts';
export { podReferences, referencedNames, type PodReference } from './node-restriction/pod-references.ts';
export { reportProblem } from './node-restriction/report-problem.ts';
export { requireLabels } from './node-restriction/labels.ts';
export { isReservedLabel } from './node-restriction/labels.ts';
export { acknowledge, mustAcknowledge, OK, refuse } from './wire/acknowledgement.ts';
export { contentJson, contentText, decodeBytes, readContent } from './wire/content.ts';
export { decodeMessage, peekRoute } from './wire/message-codec.ts';
export { cloudDestinationOf } from './wire/dispatch.ts';
export { encodeMessage } from './wire/message-codec.ts';
export {
  CONNECTION_USES,
  DEFAULT_PROJECT_ID,
  handshakeHeaders,
  hubUrl,
  readHandshake,
  type ReceivedHeaders,
} from './wire/handshake.ts';
export { toJson, tryParseJson } from './wire/json.ts';
export { isKeepalive, newKeepalive } from './wire/handshake.ts';
export {
  ACKNOWLEDGEMENT_TIMEOUT_MS,
  MAX_CERTIFICATE_REQUEST_BYTES,
  MAX_MESSAGE_BYTES,
  MAX_NODE_MESSAGE_VALUES,
  MAX_UNACKNOWLEDGED,
} from './wire/limits.ts';
export { newMessage, replyTo, type Message, type MessageParts } from './wire/message.ts';
export { MAX_NODE_MESSAGE_BYTES, nodeMessageLimit, SMALL_MESSAGE_BYTES } from './wire/limits.ts';

export { isNewerVersion, NEVER_ACKNOWLEDGED, objectSyncName, parseObjectSyncName } from './wire/object-identity.ts';
export {
  EDGE_KINDS,
  STORED_KINDS,
  SYNCED_KINDS,
  type EdgeKind,
  type KindNames,
  type SyncedKind,
} from './edge-kinds.ts';

export { ApiStatus, bareFailureAnswer, failureAnswer, objectAnswer, readObjectAnswer } from './wire/object-answer.ts';
export { CertificateSigningRequest, Event, EventPatch, Lease, Node, Pod, TokenRequest } from './wire/payloads.ts';
export { DeleteOptions, NodeStatusRequest, PodStatusRequest, PodStatusRequests, StatusPatch } from './wire/payloads.ts';
export { objectResource, parseResource } from './wire/resource.ts';
export { GROUPS, OPERATIONS, PLAIN_RESOURCES, RESOURCE_TYPES, SOURCES } from './wire/route-names.ts';
export { type ConfigNote } from './config/reading/effects.ts';
export { type LoadedConfig } from './config/reading/load-config.ts';
export { durationMilliseconds, logSizeBytes } from './config/scalars.ts';
export { cloudcoreDefaults, type CloudHost } from './config/cloudcore/load.ts';
export { loadCloudcoreConfig } from './config/cloudcore/load.ts';
export { type CloudcoreConfig } from './config/cloudcore/schema.ts';
export { defaultCloudcoreYaml, minimalCloudcoreYaml } from './config/cloudcore/load.ts';
export { splitByComma } from './config/edit/typed-value.ts';
export { blankToken } from './config/edit/set-in-yaml.ts';
export { configDigest } from './config/edit/set-in-yaml.ts';
export { changedSettings, diffConfig, type ConfigChange } from './config/edit/diff-config.ts';
export { restartKeys } from './config/edit/diff-config.ts';
export { redactConfig } from './config/edit/diff-config.ts';
export { requireAssignments, setInYaml } from './config/edit/set-in-yaml.ts';
export { settingsYaml } from './config/edit/diff-config.ts';
export { edgecoreDefaults, type EdgeHost } from './config/edgecore/load.ts';
export { edgePaths, type NodeOs } from './config/edgecore/edge-paths.ts';
export { loadEdgecoreConfig } from './config/edgecore/load.ts';
export { type EdgecoreConfig } from './config/edgecore/schema.ts';
export { defaultEdgecoreYaml, minimalEdgecoreYaml } from './config/edgecore/load.ts';
export {
  actionOf,
  COMPONENT_FLAGS,
  parseComponentFlags,
  verbosityOf,
  type ComponentAction,
} from './component-flags.ts';

export { compareVersions, isVersion, versionTag } from './version.ts';
