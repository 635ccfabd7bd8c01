import { readContent, TokenRequest, EDGE_KINDS, type SyncedKind } from '@fenestra/contracts';
import { failureStatus, KINDS, refusedError, stringAt, valueAt } from '@fenestra/kube-api';
import { bare } from '../answers.ts';
import { forbid, objectNameOf, type NodeRequest, type RequestHandler, type RequestTools } from '../node-request.ts';

/** A node asks for a ConfigMap that a pod of it needs. */
export const queryConfigMap = queryNeeded(EDGE_KINDS.configMap);

/** A node asks for a Secret that a pod of it needs. */
export const querySecret = queryNeeded(EDGE_KINDS.secret);

function queryNeeded(kind: SyncedKind): RequestHandler {
  return {
    failure: 'bare',
    async handle(request, tools, signal) {
      requireKnowledge(tools);
      const { cluster, downstream, api } = tools;
      const { node, namespace, name } = request;
      if (!cluster.uses(node, kind, namespace, name)) forbid(request, 'no pod of this node needs it');
      const object = await api.get(kind, objectNameOf(request), signal);
      downstream.answered(node, kind, object);
      return bare(object);
    },
  };
}

/** A node asks for the claim of a pod's volume. */
export const queryClaim: RequestHandler = {
  failure: 'bare',
  async handle(request, tools, signal) {
    requireKnowledge(tools);
    if (!claims(tools, request, request.namespace, request.name)) forbid(request, 'no pod of this node claims it');
    return bare(await tools.api.get(KINDS.persistentVolumeClaim, objectNameOf(request), signal));
  },
};

/** A node asks for the volume behind a pod's claim. */
export const queryVolume: RequestHandler = {
  failure: 'bare',
  async handle(request, tools, signal) {
    requireKnowledge(tools);
    const volume = await tools.api.get(KINDS.persistentVolume, { name: request.name }, signal);
    const claim = (field: string) => stringAt(volume, 'spec', 'claimRef', field);
    if (!claims(tools, request, claim('namespace'), claim('name'))) forbid(request, 'no pod of this node claims it');
    return bare(volume);
  },
};

/** A node asks whether a volume is attached to it. */
export const queryAttachment: RequestHandler = {
  failure: 'bare',
  async handle(request, { api }, signal) {
    const attachment = await api.get(KINDS.volumeAttachment, { name: request.name }, signal);
    if (stringAt(attachment, 'spec', 'nodeName') !== request.node) forbid(request, 'it is for another node');
    return bare(attachment);
  },
};

/** A node asks for a token for a pod it runs, bound to that pod. */
export const requestToken: RequestHandler = {
  failure: 'bare',
  async handle(request, tools, signal) {
    requireKnowledge(tools);
    const { spec } = readContent(TokenRequest, request.message);
    const bound = valueAt(spec, 'boundObjectRef');
    const pod = tools.cluster.pod(request.namespace, stringAt(bound, 'name'));
    const isOwn =
      stringAt(bound, 'kind') === 'Pod' &&
      pod?.nodeName === request.node &&
      pod.uid === stringAt(bound, 'uid') &&
      pod.serviceAccount === request.name;
    if (!isOwn) forbid(request, 'the token is not bound to a pod of this node that runs as this account');
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
    return { content: await tools.api.post(KINDS.serviceAccount, objectNameOf(request), 'token', body, signal) };
  },
};

function claims(
  { cluster }: RequestTools,
  { node }: NodeRequest,
  namespace: string | undefined,
  name: string,
): boolean {
  return [...cluster.podsOf(node)].some((pod) => pod.namespace === namespace && pod.references.claims.includes(name));
}

/** Before the cluster has been read no one can say what a node may see: it is asked to come again. */
function requireKnowledge({ cluster, book }: RequestTools): void {
  if (cluster.synced && book.synced) return;
  const status = failureStatus(503, 'ServiceUnavailable', 'the cloud is still reading what the cluster holds');
  throw refusedError('answer a node', 503, JSON.stringify(status));
}
