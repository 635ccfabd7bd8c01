import { Node, NodeStatusRequest, readContent, StatusPatch, EDGE_KINDS } from '@fenestra/contracts';
import { OperatorError } from '@fenestra/kernel';
import { KINDS, type KubeApi } from '@fenestra/kube-api';
import { EDGE_LABEL, isAdministratorsLabel, isJoined, LEFT_ANNOTATION } from '../../../server/leave-node.ts';
import { accepted, bare, statusPatch, wrapped } from '../answers.ts';
import { requireOwnName, type RequestHandler } from '../node-request.ts';

/** A node comes into being, or its agent has started again. */
export const registerNode: RequestHandler = {
  failure: 'wrapped',
  async handle(request, { api, downstream, advertiseAddress }, signal) {
    requireOwnName(request);
    const node = readContent(Node, request.message);
    const { name } = request;
    const labels = { ...ownLabels(node.metadata.labels), [EDGE_LABEL]: '' };
    const annotations = {
      ...ownAnnotations(node.metadata.annotations),
      ...(advertiseAddress === undefined ? {} : { cloudcore: advertiseAddress }),
    };
    const { configSource: _configSource, ...spec } = node.spec ?? {};
    const draft = { metadata: { name, labels, annotations }, spec, status: node.status ?? {} };
    try {
      const created = await api.create(KINDS.node, draft, signal);
      downstream.begun(request.node);
      return wrapped(created);
    } catch (error) {
      // Any other failure may be tried again, and is not a reason to tell everything again.
      if (!(error instanceof OperatorError && error.code === 'API_CONFLICT')) throw error;
      await adoptNode(api, name, signal);
      downstream.begun(request.node);
      throw error;
    }
  },
};

/** A node changes its labels and annotations. */
export const updateNode: RequestHandler = {
  failure: 'text',
  async handle(request, { api }, signal) {
    requireOwnName(request);
    const { metadata } = readContent(Node, request.message);
    const labels = ownLabels(metadata.labels);
    const body = { metadata: { labels, annotations: ownAnnotations(metadata.annotations) } };
    const node = await api.patch(KINDS.node, { name: request.name }, { type: 'merge', body }, signal);
    return accepted(node.metadata.resourceVersion);
  },
};

/** A node asks how the cloud sees it. */
export const queryNode: RequestHandler = {
  failure: 'bare',
  async handle(request, { api }, signal) {
    requireOwnName(request);
    return bare(await api.get(KINDS.node, { name: request.name }, signal));
  },
};

/** A node reports its status. */
export const patchNode: RequestHandler = {
  failure: 'wrapped',
  async handle(request, { api, downstream }, signal) {
    requireOwnName(request);
    const body = statusPatch(readContent(StatusPatch, request.message));
    const name = { name: request.name };
    const node = await api.patch(KINDS.node, name, { type: 'strategic', body, subresource: 'status' }, signal);
    downstream.answered(request.node, EDGE_KINDS.node, node);
    return wrapped(node);
  },
};

/** A node reports its status, as agents of old do. */
export const updateNodeStatus: RequestHandler = {
  failure: 'text',
  latestOnly: true,
  async handle(request, { api }, signal) {
    requireOwnName(request);
    const { Status: status } = readContent(NodeStatusRequest, request.message);
    const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
    const node = await api.patch(KINDS.node, { name: request.name }, patch, signal);
    return accepted(node.metadata.resourceVersion);
  },
};

/** A Node object that was there before the node: made by an administrator, or left by a machine that has left. */
async function adoptNode(api: KubeApi, name: string, signal: AbortSignal): Promise<void> {
  const node = await api.find(KINDS.node, { name }, signal);
  if (node === undefined || (node.metadata.labels?.[EDGE_LABEL] !== undefined && isJoined(node))) return;
  const annotations = isJoined(node) ? {} : { annotations: { [LEFT_ANNOTATION]: null } };
  const body = { metadata: { labels: { [EDGE_LABEL]: '' }, ...annotations } };
  await api.patch(KINDS.node, { name }, { type: 'merge', body }, signal);
}

type Texts = Readonly<Record<string, string>>;

/** The labels that a node may give itself: cloudcore's own rights are wider than the node's. */
function ownLabels(labels: Texts | null | undefined): Texts {
  return Object.fromEntries(Object.entries(labels ?? {}).filter(([name]) => !isAdministratorsLabel(name)));
}

/** That a machine has left is for the cloud to say. */
function ownAnnotations(annotations: Texts | null | undefined): Texts {
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([name]) => name !== LEFT_ANNOTATION));
}
