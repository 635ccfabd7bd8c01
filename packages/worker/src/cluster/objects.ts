import {
  isJsonObject,
  listAt,
  objectAt,
  stringAt,
  valueAt,
  type JsonObject,
  type KubeObject,
} from '@fenestra/kube-api';
import type { ClusterNode, RequestedCertificate } from '@fenestra/session';

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
