import {
  DeleteOptions,
  mirrorPodProblem,
  Pod,
  PodStatusRequest,
  PodStatusRequests,
  readContent,
  StatusPatch,
  EDGE_KINDS,
} from '@fenestra/contracts';
import { type JsonObject, objectAt, OperatorError } from '@fenestra/kernel';
import { failureStatus, KINDS, type KubeObject, refusedError, statusOf, stringAt } from '@fenestra/kube-api';
import { knownPod, type KnownPod } from '../../known-object.ts';
import { deletionMessage } from '../../object-messages.ts';
import { accepted, bare, reportedStatus, statusPatch, wrapped } from '../answers.ts';
import {
  forbid,
  isName,
  objectNameOf,
  type NodeRequest,
  type RequestHandler,
  type RequestTools,
} from '../node-request.ts';

/** A node tells the status of a pod it runs. */
export const patchPod: RequestHandler = {
  failure: 'wrapped',
  async handle(request, tools, signal) {
    const { uid } = await requireOwnPod(request, tools, signal);
    const body = statusPatch(readContent(StatusPatch, request.message));
    requireSamePod(request, stringAt(body, 'metadata', 'uid'), uid);
    return wrapped(await patchKnownFields(request, { ...body, metadata: { uid } }, tools, signal));
  },
};

/** An older API server refuses a patch that orders a list which it does not know, such as `hostIPs`. It gets the rest. */
async function patchKnownFields(
  request: NodeRequest,
  body: JsonObject,
  { api }: RequestTools,
  signal: AbortSignal,
): Promise<KubeObject> {
  const patch = async (known: JsonObject): Promise<KubeObject> =>
    api.patch(KINDS.pod, objectNameOf(request), { type: 'strategic', body: known, subresource: 'status' }, signal);
  try {
    return await patch(body);
  } catch (error) {
    const field = unknownField(error);
    const fields = Object.entries(objectAt(body, 'status'));
    const known = fields.filter(([name]) => name !== field && name !== `$setElementOrder/${field}`);
    if (known.length === fields.length) throw error;
    return patch({ ...body, status: Object.fromEntries(known) });
  }
}

/** The field that the API server says it does not have. */
function unknownField(error: unknown): string | undefined {
  return /unable to find api field in struct \w+ for the json field "(\w+)"/.exec(statusOf(error).message ?? '')?.[1];
}

/** A node shows a pod that it runs by itself, from a file. */
export const createMirrorPod: RequestHandler = {
  failure: 'wrapped',
  async handle(request, { api }, signal) {
    const pod = readContent(Pod, request.message);
    const { namespace, name } = request;
    const problem = mirrorPodProblem(pod, request.node);
    if (problem !== undefined) forbid(request, problem);
    const metadata = { ...pod.metadata, name, ...(namespace === undefined ? {} : { namespace }) };
    return wrapped(await api.create(KINDS.pod, { ...pod, metadata }, signal));
  },
};

/** A pod has ended on its node, so the API may forget it. That it has forgotten already is as good. */
export const deletePod: RequestHandler = {
  failure: 'text',
  async handle(request, tools, signal) {
    try {
      const pod = await requireOwnPod(request, tools, signal);
      const { uid = '', ...options } = deletionOf(request);
      requireSamePod(request, uid, pod.uid);
      const deletion = { ...options, preconditions: { uid: pod.uid } };
      await tools.api.delete(KINDS.pod, objectNameOf(request), deletion, signal);
    } catch (error) {
      const gone = error instanceof OperatorError && (error.code === 'API_NOT_FOUND' || error.code === 'API_CONFLICT');
      if (!gone) throw error;
    }
    return accepted();
  },
};

/** A node asks for its own pod. */
export const queryPod: RequestHandler = {
  failure: 'bare',
  async handle(request, { api }, signal) {
    const pod = await api.get(KINDS.pod, objectNameOf(request), signal);
    if (knownPod(pod).nodeName !== request.node) forbid(request, 'the pod is not its own');
    return bare(pod);
  },
};

/** Older agents report the status of many pods at once. A pod that is gone is reported as gone. */
export const updatePodStatuses: RequestHandler = {
  failure: 'text',
  async handle(request, tools, signal) {
    for (const status of statusesOf(request)) await updatePodStatus(request, status, tools, signal);
    return accepted();
  },
};

/** Several times as many as a node can have pods. */
const MAX_STATUSES = 1_000;

function statusesOf(request: NodeRequest): PodStatusRequests {
  if (request.name === '') {
    const statuses = readContent(PodStatusRequests, request.message);
    if (statuses.length > MAX_STATUSES) forbid(request, `these are more than ${MAX_STATUSES} statuses at once`);
    return statuses;
  }
  return [readContent(PodStatusRequest, request.message)];
}

async function updatePodStatus(
  request: NodeRequest,
  { Name: name, UID: uid = '', Status: status }: PodStatusRequest,
  tools: RequestTools,
  signal: AbortSignal,
): Promise<void> {
  if (!isName(name)) forbid(request, 'it names no pod');
  const pod = await findOwnPod({ ...request, name }, tools, signal);
  if (pod === undefined || (uid !== '' && pod.uid !== uid)) return tellGone({ ...request, name }, uid, tools);
  const body = { metadata: { uid: pod.uid }, status: reportedStatus(status) };
  const patch = { type: 'merge', body, subresource: 'status' } as const;
  await tools.api.patch(KINDS.pod, { namespace: request.namespace, name }, patch, signal);
}

function tellGone({ node, namespace, name }: NodeRequest, uid: string, { sessions }: RequestTools): void {
  if (uid === '') return;
  const message = deletionMessage({ kind: EDGE_KINDS.pod, namespace, name, uid });
  sessions.deliver(node, { key: uid, resourceVersion: '0', message });
}

async function requireOwnPod(request: NodeRequest, tools: RequestTools, signal: AbortSignal): Promise<KnownPod> {
  const pod = await findOwnPod(request, tools, signal);
  if (pod !== undefined) return pod;
  const status = failureStatus(404, 'NotFound', `there is no pod "${request.name}"`);
  throw refusedError(`find pod "${request.name}"`, 404, JSON.stringify(status));
}

/** A pod of the same name may have taken the place of the one that is meant. */
function requireSamePod({ name }: NodeRequest, meant: string, uid: string): void {
  if (meant === '' || meant === uid) return;
  const status = failureStatus(409, 'Conflict', `pod "${name}" is another one by now`);
  throw refusedError(`change pod "${name}"`, 409, JSON.stringify(status));
}

/** The pod, if it exists. Another node's is refused. */
export async function findOwnPod(
  request: NodeRequest,
  { api, cluster }: RequestTools,
  signal: AbortSignal,
): Promise<KnownPod | undefined> {
  const remembered = cluster.pod(request.namespace, request.name);
  if (remembered?.nodeName === request.node) return remembered;
  // What is remembered may lag behind.
  const pod = await api.find(KINDS.pod, objectNameOf(request), signal);
  if (pod === undefined) return undefined;
  const known = knownPod(pod);
  if (known.nodeName !== request.node) forbid(request, 'the pod is not its own');
  return known;
}

/** Agents of old send nothing but the uid. */
function deletionOf({ message }: NodeRequest): { readonly gracePeriodSeconds?: number; readonly uid?: string } {
  const { content } = message;
  if (typeof content === 'string' && !content.trimStart().startsWith('{')) {
    return { gracePeriodSeconds: 0, uid: content };
  }
  const { gracePeriodSeconds, preconditions } = readContent(DeleteOptions, message);
  return {
    ...(typeof gracePeriodSeconds === 'number' ? { gracePeriodSeconds } : {}),
    ...(typeof preconditions?.uid === 'string' ? { uid: preconditions.uid } : {}),
  };
}
