import { OBJECT_SYNC } from '@fenestra/contracts';
import type { JsonObject, KubeObject } from '@fenestra/kube-api';
import { customResourceDefinition } from './custom-resource.ts';

const text = (description: string): JsonObject => ({ type: 'string', description });

const RECORD: JsonObject = {
  spec: {
    type: 'object',
    properties: {
      objectAPIVersion: text('API version of the object at the node.'),
      objectKind: text('Kind of the object at the node.'),
      objectName: text('Name of the object at the node.'),
    },
  },
  status: {
    type: 'object',
    properties: { objectResourceVersion: text('Version of the object that the node has acknowledged last.') },
  },
};

/** The records cloudcore cannot work without: which version of which object each node has. */
export const RECORD_DEFINITIONS: readonly KubeObject[] = [
  customResourceDefinition({
    ...OBJECT_SYNC.namespaced,
    group: OBJECT_SYNC.group,
    version: OBJECT_SYNC.version,
    scope: 'Namespaced',
    description: 'What a node has of an object in this namespace. Named after the node and the uid of the object.',
    properties: RECORD,
  }),
  customResourceDefinition({
    ...OBJECT_SYNC.cluster,
    group: OBJECT_SYNC.group,
    version: OBJECT_SYNC.version,
    scope: 'Cluster',
    description: 'What a node has of a cluster-wide object. Named after the node and the uid of the object.',
    properties: RECORD,
  }),
];

// Whatever upstream's tools write is kept; nothing here reads it.
const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const OPEN: JsonObject = { spec: anything, status: anything };

const stored = (
  group: string,
  version: string,
  scope: 'Namespaced' | 'Cluster',
  kind: string,
  plural: string,
): KubeObject =>
  customResourceDefinition({
    group,
    version,
    scope,
    kind,
    plural,
    description: `${kind} of KubeEdge.`,
    properties: OPEN,
  });

/** Kinds that upstream's tools write. They are kept as they are; what acts on them decides about their content. */
export const UPSTREAM_DEFINITIONS: readonly KubeObject[] = [
  stored('devices.kubeedge.io', 'v1beta1', 'Namespaced', 'Device', 'devices'),
  stored('devices.kubeedge.io', 'v1beta1', 'Namespaced', 'DeviceModel', 'devicemodels'),
  stored('devices.kubeedge.io', 'v1beta1', 'Namespaced', 'DeviceStatus', 'devicestatuses'),
  stored('operations.kubeedge.io', 'v1alpha2', 'Cluster', 'NodeUpgradeJob', 'nodeupgradejobs'),
  stored('operations.kubeedge.io', 'v1alpha2', 'Cluster', 'ImagePrePullJob', 'imageprepulljobs'),
  stored('operations.kubeedge.io', 'v1alpha2', 'Cluster', 'ConfigUpdateJob', 'configupdatejobs'),
  stored('rules.kubeedge.io', 'v1', 'Namespaced', 'Rule', 'rules'),
  stored('rules.kubeedge.io', 'v1', 'Namespaced', 'RuleEndpoint', 'ruleendpoints'),
  stored('policy.kubeedge.io', 'v1alpha1', 'Namespaced', 'ServiceAccountAccess', 'serviceaccountaccesses'),
];
