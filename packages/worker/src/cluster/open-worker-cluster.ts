import {
  isJsonObject,
  type JsonObject,
  KINDS,
  type KubeObject,
  listAt,
  objectAt,
  openKubeApi,
  readServerVersion,
  stringAt,
  valueAt,
} from '@fenestra/kube-api';
import type { ClusterAccess, ClusterNode, RequestedCertificate, WorkerCluster } from '@fenestra/session';
import { certificateRequest } from './certificate-request.ts';

export { discoverCluster } from '../discovery/discover-cluster.ts';

const NODE_LEASES = 'kube-node-lease';

/** Reaches a plain Kubernetes cluster by its API; the server need not answer yet. */
export async function openWorkerCluster(access: ClusterAccess): Promise<WorkerCluster> {
  const api = await openKubeApi(access);
  return {
    server: api.server,
    version: async (signal) => readServerVersion(api, signal),
    async configMap(namespace, name, signal) {
      const found = await api.find(KINDS.configMap, { namespace, name }, signal);
      return found === undefined ? undefined : textsOf(found);
    },
    async node(name, signal) {
      const found = await api.find(KINDS.node, { name }, signal);
      return found === undefined ? undefined : nodeOf(found);
    },
    async lastSeen(node, signal) {
      const lease = await api.find(KINDS.lease, { namespace: NODE_LEASES, name: node }, signal);
      return lease === undefined ? undefined : renewalOf(lease);
    },
    async mark(node, { labels = {}, annotations = {} }, signal) {
      const body = { metadata: { labels, annotations } };
      await api.patch(KINDS.node, { name: node }, { type: 'merge', body }, signal);
    },
    async requestCertificate(node, privateKey, signal) {
      const request = await certificateRequest(node, privateKey);
      return (await api.create(KINDS.certificateSigningRequest, request, signal)).metadata.name;
    },
    certificate: async (name, signal) =>
      requestedCertificateOf(await api.get(KINDS.certificateSigningRequest, { name }, signal)),
    close: () => api.close(),
  };
}

/** A node, as a worker's life wants to see it. */
export function nodeOf(node: KubeObject): ClusterNode {
  const condition = conditionOf(node, 'Ready');
  const status = stringAt(condition, 'status');
  return {
    ready: status === 'True' || status === 'False' ? status : 'Unknown',
    readyReason: stringAt(condition, 'reason'),
    readyMessage: stringAt(condition, 'message'),
    schedulable: valueAt(node, 'spec', 'unschedulable') !== true,
    kubeletVersion: stringAt(node, 'status', 'nodeInfo', 'kubeletVersion'),
    labels: node.metadata.labels ?? {},
    annotations: node.metadata.annotations ?? {},
  };
}

/** What has become of a certificate signing request. A refusal counts although a certificate may be there. */
export function requestedCertificateOf(request: KubeObject): RequestedCertificate {
  const [denied, failed] = [conditionOf(request, 'Denied'), conditionOf(request, 'Failed')];
  if (denied !== undefined) return { state: 'denied', reason: reasonOf(denied) };
  if (failed !== undefined) return { state: 'failed', reason: reasonOf(failed) };
  const certificate = stringAt(request, 'status', 'certificate');
  if (certificate === '') return { state: 'pending' };
  return { state: 'issued', certificate: Buffer.from(certificate, 'base64').toString('utf8') };
}

/** What a ConfigMap holds as text. */
export function textsOf(configMap: KubeObject): Readonly<Record<string, string>> {
  const texts = Object.entries(objectAt(configMap, 'data'));
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** When a lease was last renewed. */
export function renewalOf(lease: KubeObject): Date | undefined {
  const time = Date.parse(stringAt(lease, 'spec', 'renewTime'));
  return Number.isNaN(time) ? undefined : new Date(time);
}

function conditionOf(object: KubeObject, type: string): JsonObject | undefined {
  return listAt(object, 'status', 'conditions')
    .filter(isJsonObject)
    .find((condition) => condition['type'] === type);
}

function reasonOf(condition: JsonObject): string {
  return stringAt(condition, 'message') || stringAt(condition, 'reason') || 'no reason was given';
}
