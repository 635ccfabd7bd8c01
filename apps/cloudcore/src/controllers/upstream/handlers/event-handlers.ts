import { decodeBytes, Event, EventPatch, readContent, reportProblem, tryParseJson } from '@fenestra/contracts';
import type { Json } from '@fenestra/kernel';
import { isJsonObject, KINDS, stringAt, type JsonObject, type KubeObject } from '@fenestra/kube-api';
import { forbid, objectNameOf, type NodeRequest, type RequestHandler } from '../node-request.ts';

/** Something happened on a node. No one waits for an answer. */
export const createEvent: RequestHandler = {
  failure: 'silent',
  async handle(request, { api }, signal) {
    await api.create(KINDS.event, ownEvent(request, readContent(Event, request.message)), signal);
    return undefined;
  },
};

/** It happened again. */
export const updateEvent: RequestHandler = {
  failure: 'silent',
  latestOnly: true,
  async handle(request, { api }, signal) {
    const event = ownEvent(request, readContent(Event, request.message));
    requireOwnTeller(request, await api.get(KINDS.event, objectNameOf(request), signal));
    await api.update(KINDS.event, event, signal);
    return undefined;
  },
};

/** It happened again, told as a change. */
export const patchEvent: RequestHandler = {
  failure: 'silent',
  async handle(request, { api }, signal) {
    const { patchData } = readContent(EventPatch, request.message);
    const body = repetition(patchOf(patchData));
    requireOwnTeller(request, await api.get(KINDS.event, objectNameOf(request), signal));
    await api.patch(KINDS.event, objectNameOf(request), { type: 'strategic', body }, signal);
    return undefined;
  },
};

/** The agents of KubeEdge write the patch as JSON text; agents of this project up to 0.1 wrote it as base64. */
function patchOf(text: string): Json | undefined {
  return tryParseJson(text.trimStart().startsWith('{') ? text : decodeBytes(text).toString('utf8'));
}

function ownEvent(request: NodeRequest, event: Event): KubeObject {
  requireOwnTeller(request, event);
  const problem = reportProblem(event, request.node);
  if (problem !== undefined) forbid(request, problem);
  const metadata: JsonObject = event.metadata;
  const { namespace, name } = request;
  return { ...event, metadata: { ...metadata, name, ...(namespace === undefined ? {} : { namespace }) } };
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
