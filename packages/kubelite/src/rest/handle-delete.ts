import { isJsonObject, valueAt, type Json, type JsonObject } from '../objects/json.ts';
import type { DeleteOptions, DeleteOutcome } from '../objects/object-service.ts';
import { badRequest } from '../objects/statuses.ts';
import { sendObject, sendValue, successStatus } from './answer.ts';
import { keyOf, type Exchange } from './exchange.ts';
import { numberOf } from './list-query.ts';
import { readObject } from './read-body.ts';
import { isDryRun, writeOptionsOf } from './write-query.ts';

/** `DELETE` of one object. */
export async function handleDelete(exchange: Exchange): Promise<void> {
  const { api, kind } = exchange;
  const options = await deleteOptionsOf(exchange);
  const outcome = await api.objects.delete(kind, keyOf(exchange), options);
  if (!outcome.gone) return sendObject(exchange, 200, outcome.object);
  sendValue(exchange, 200, goneStatus(exchange, outcome));
}

/** How to delete, from the body and the query. Throws 400. */
export async function deleteOptionsOf(exchange: Exchange): Promise<DeleteOptions> {
  const { api, query, request } = exchange;
  const body = (await readObject(request, api.protobuf)) ?? {};
  if (!isJsonObject(body)) throw badRequest('the body of a deletion is DeleteOptions');
  const grace = body['gracePeriodSeconds'] ?? numberOf(query, 'gracePeriodSeconds');
  if (typeof grace === 'number' && !Number.isSafeInteger(grace))
    throw badRequest(`invalid gracePeriodSeconds ${grace}: it must be a whole number`);
  const propagation = propagationOf(body, query);
  const inBody = body['dryRun'];
  const dryRuns = Array.isArray(inBody) ? inBody.map(String) : [];
  const options = writeOptionsOf(exchange);
  return {
    ...options,
    dryRun: isDryRun(dryRuns) || options.dryRun,
    ...(typeof grace === 'number' && { graceSeconds: grace }),
    ...(propagation && { propagation }),
    preconditions: preconditionsOf(body),
  };
}

function preconditionsOf(body: JsonObject): { uid?: string; resourceVersion?: string } {
  const uid = valueAt(body, 'preconditions', 'uid');
  const resourceVersion = valueAt(body, 'preconditions', 'resourceVersion');
  return {
    ...(typeof uid === 'string' && { uid }),
    ...(typeof resourceVersion === 'string' && { resourceVersion }),
  };
}

function propagationOf(body: JsonObject, query: URLSearchParams): DeleteOptions['propagation'] {
  const orphan = body['orphanDependents'] ?? query.get('orphanDependents');
  if (orphan === true || orphan === 'true') return 'Orphan';
  const policy: Json | undefined = body['propagationPolicy'] ?? query.get('propagationPolicy') ?? undefined;
  if (policy === undefined || policy === null) return;
  if (policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') return policy;
  throw badRequest(`invalid propagationPolicy ${JSON.stringify(policy)}: Background, Foreground or Orphan`);
}

function goneStatus({ kind, path }: Exchange, { object }: DeleteOutcome): JsonObject {
  return successStatus({ name: path.name, group: kind.group, kind: kind.plural, uid: object.metadata.uid });
}
