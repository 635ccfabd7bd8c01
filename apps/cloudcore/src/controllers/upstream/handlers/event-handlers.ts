import { decodeBytes, Event, EventPatch, readContent, reportProblem, tryParseJson } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { isJsonObject, KINDS, stringAt, type JsonObject, type KubeObject } from '@fenestra/kube-api';
import {
  forbid,
  isName,
  objectNameOf,
  type NodeRequest,
  type RequestHandler,
  type RequestTools,
} from '../node-request.ts';
import { findOwnPod } from './pod-handlers.ts';

/** Something happened on a node. No one waits for an answer. */
export const createEvent: RequestHandler = {
  failure: 'silent',
  async handle(request, tools, signal) {
    const event = await ownEvent(request, readContent(Event, request.message), tools, signal);
    await tools.api.create(KINDS.event, event, signal);
    return undefined;
  },
};

/** It happened again. */
export const updateEvent: RequestHandler = {
  failure: 'silent',
  latestOnly: true,
  async handle(request, tools, signal) {
    const { api } = tools;
    const event = await ownEvent(request, readContent(Event, request.message), tools, signal);
    requireOwnTeller(request, await api.get(KINDS.event, objectNameOf(request), signal));
    await api.update(KINDS.event, event, signal);
    return undefined;
  },
};

/** It happened again, reported as a change. The API forgets events after a while: then it is written like a new one. */
export const patchEvent: RequestHandler = {
  failure: 'silent',
  async handle(request, tools, signal) {
    const { api } = tools;
    const { event, patchData } = readContent(EventPatch, request.message);
    const body = repetition(patchOf(patchData));
    const present = await api.find(KINDS.event, objectNameOf(request), signal);
    if (present === undefined) {
      await api.create(KINDS.event, { ...(await ownEvent(request, event, tools, signal)), ...body }, signal);
      return undefined;
    }
    requireOwnTeller(request, present);
    await api.patch(KINDS.event, objectNameOf(request), { type: 'strategic', body }, signal);
    return undefined;
  },
};

/** The agents of KubeEdge write the patch as JSON text; agents of this project up to 0.1 wrote it as base64. */
function patchOf(text: string): Json | undefined {
  return tryParseJson(text.trimStart().startsWith('{') ? text : decodeBytes(text).toString('utf8'));
}

async function ownEvent(
  request: NodeRequest,
  event: Event,
  tools: RequestTools,
  signal: AbortSignal,
): Promise<KubeObject> {
  requireOwnTeller(request, event);
  await requireOwnSubject(request, event, tools, signal);
  const problem = reportProblem(event, request.node);
  if (problem !== undefined) forbid(request, problem);
  const metadata: JsonObject = event.metadata;
  const { namespace, name } = request;
  return { ...event, metadata: { ...metadata, name, ...(namespace === undefined ? {} : { namespace }) } };
}

/** A node reports about itself and its pods. Pods from its files are not in the API yet when they are started. */
async function requireOwnSubject(
  request: NodeRequest,
  event: Event,
  tools: RequestTools,
  signal: AbortSignal,
): Promise<void> {
  const [kind, name] = [stringAt(event, 'involvedObject', 'kind'), stringAt(event, 'involvedObject', 'name')];
  if (kind === 'Node' && name === request.node) return;
  if (kind !== 'Pod' || !isName(name)) forbid(request, 'it is not about the node or a pod');
  const pod = await findOwnPod({ ...request, name }, tools, signal);
  if (pod === undefined && !name.endsWith(`-${request.node}`)) forbid(request, 'it is not about a pod of the node');
}

function requireOwnTeller(request: NodeRequest, event: JsonObject): void {
  const tellers = [stringAt(event, 'source', 'host'), stringAt(event, 'reportingInstance')].filter((teller) => teller);
  if (tellers.length === 0 || tellers.some((teller) => teller !== request.node)) forbid(request, 'it is not its own');
}

/** All that a repetition changes; whom the event is about and who tells it stays. */
function repetition(patch: Json | undefined): JsonObject {
  const fields = Object.entries(isJsonObject(patch) ? patch : {});
  return Object.fromEntries(fields.filter(([field]) => REPEATED.has(field)));
}

const REPEATED: ReadonlySet<string> = new Set(['count', 'lastTimestamp', 'series', 'message']);
