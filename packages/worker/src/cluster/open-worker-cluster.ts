// oxlint-disable-next-line import/no-unassigned-import -- the certificate library asks for it before it is loaded
import 'reflect-metadata';
import { createPrivateKey, createPublicKey } from 'node:crypto';
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
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';

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

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';

/** Approvers before v1.27 take nothing but these three, even for a key that cannot encipher; later ones take them too. */
const USAGES = ['digital signature', 'key encipherment', 'client auth'];

/** A request for a node's client certificate, as the approver requires it. The P-256 key (PEM) stays here. */
export async function certificateRequest(node: string, privateKey: string): Promise<JsonObject> {
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ O: ['system:nodes'] }, { CN: [`system:node:${node}`] }],
    keys: await importKeys(privateKey),
    signingAlgorithm: ALGORITHM,
  });
  return {
    metadata: { generateName: 'csr-' },
    spec: {
      request: Buffer.from(request.toString('pem')).toString('base64'),
      signerName: SIGNER,
      usages: USAGES,
    },
  };
}

async function importKeys(pem: string): Promise<CryptoKeyPair> {
  const key = createPrivateKey(pem);
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  return {
    publicKey: await crypto.subtle.importKey('spki', Uint8Array.from(spki), ALGORITHM, true, ['verify']),
    privateKey: await crypto.subtle.importKey('pkcs8', Uint8Array.from(pkcs8), ALGORITHM, false, ['sign']),
  };
}
