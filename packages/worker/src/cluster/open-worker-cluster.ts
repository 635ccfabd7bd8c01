import { KINDS, openKubeApi, readServerVersion } from '@fenestra/kube-api';
import type { ClusterAccess, WorkerCluster } from '@fenestra/session';
import { certificateRequest } from './certificate-request.ts';
import { nodeOf, renewalOf, requestedCertificateOf, textsOf } from './objects.ts';

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
