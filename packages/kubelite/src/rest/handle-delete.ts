import { isJsonObject, type Json, type JsonObject, valueAt } from '../objects/json.ts';
import type { DeleteOptions, DeleteOutcome } from '../objects/object-service.ts';
import { apiVersionOf } from '../objects/resource-kind.ts';
import { badRequest, StatusError } from '../objects/status-error.ts';
import { sendObject, sendValue, successStatus } from './answer.ts';
import { type Exchange, keyOf } from './exchange.ts';
import { numberOf } from './handle-list.ts';
import { readObject } from './read-body.ts';
import { isDryRun, writeOptionsOf } from './handle-create.ts';

/** `DELETE` of one object. */
export async function handleDelete(exchange: Exchange): Promise<void> {
  const { api, kind } = exchange;
  const options = await deleteOptionsOf(exchange);
  const outcome = await api.objects.delete(kind, keyOf(exchange), options);
  if (!outcome.gone) return sendObject(exchange, 200, outcome.object);
  sendValue(exchange, 200, goneStatus(exchange, outcome));
}

/** How to delete, from the body and the query. Throws 400. */
async function deleteOptionsOf(exchange: Exchange): Promise<DeleteOptions> {
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

/** `DELETE` of everything in a collection that the selectors match. Answers with what was deleted. */
export async function handleDeleteCollection(exchange: Exchange): Promise<void> {
  const { api, kind, filter } = exchange;
  const options = await deleteOptionsOf(exchange);
  const found = api.objects.list(kind, filter);
  const deletions = found.map(({ metadata }) =>
    api.objects.delete(kind, { namespace: metadata.namespace ?? '', name: metadata.name }, options).catch(ignoreGone),
  );
  const outcomes = await Promise.all(deletions);
  const items = outcomes.flatMap((outcome) => (outcome ? [outcome.object] : []));
  const metadata = { resourceVersion: api.objects.revision() };
  const head = { kind: kind.listKind ?? `${kind.kind}List`, apiVersion: apiVersionOf(kind) };
  sendValue(exchange, 200, { ...head, metadata, items });
}

function ignoreGone(error: unknown): undefined {
  if (!(error instanceof StatusError) || error.code !== 404) throw error;
}
