import { decodeBytes, Event, EventPatch, readContent } from '@fenestra/contracts';
import { KINDS, stringAt, type JsonObject, type KubeObject } from '@fenestra/kube-api';
import { forbid, objectNameOf, type NodeRequest, type RequestHandler } from '../node-request.ts';

/** Something happened on a node. Nobody waits for an answer. */
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
    await api.update(KINDS.event, ownEvent(request, readContent(Event, request.message)), signal);
    return undefined;
  },
};

/** It happened again, told as a change. */
export const patchEvent: RequestHandler = {
  failure: 'silent',
  async handle(request, { api }, signal) {
    const { event, patchData } = readContent(EventPatch, request.message);
    ownEvent(request, event);
    const body = decodeBytes(patchData).toString('utf8');
    await api.patch(KINDS.event, objectNameOf(request), { type: 'strategic', body }, signal);
    return undefined;
  },
};

function ownEvent(request: NodeRequest, event: Event): KubeObject {
  const tellers = [stringAt(event, 'source', 'host'), stringAt(event, 'reportingInstance')];
  if (tellers.some((teller) => teller !== '' && teller !== request.node)) forbid(request, 'another node tells it');
  const metadata: JsonObject = event.metadata;
  const { namespace, name } = request;
  return { ...event, metadata: { ...metadata, name, ...(namespace === undefined ? {} : { namespace }) } };
}
