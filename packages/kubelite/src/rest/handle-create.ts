import { parseDraft } from '../objects/draft.ts';
import type { ObjectDraft } from '../objects/kube-object.ts';
import { badRequest, methodNotAllowed } from '../objects/statuses.ts';
import { sendWritten, sendValue } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { readObject } from './read-body.ts';
import { checkFields, writeOptionsOf } from './write-query.ts';

/** `POST` to a collection. */
export async function handleCreate(exchange: Exchange): Promise<void> {
  const { api, kind, path } = exchange;
  if (path.name !== '') throw methodNotAllowed();
  const draft = inNamespace(exchange, parseDraft(await readObject(exchange.request, api.protobuf), kind));
  checkFields(exchange, draft);
  const options = writeOptionsOf(exchange);
  if (kind.answerCreate) {
    const context = { user: options.user, dryRun: options.dryRun, now: api.now(), objects: api.objects };
    return sendValue(exchange, 201, await kind.answerCreate(draft, context));
  }
  sendWritten(exchange, 201, await api.objects.create(kind, draft, options));
}

/** The draft in the namespace of the path. Throws 400 when it names another. */
export function inNamespace({ kind, path }: Exchange, draft: ObjectDraft): ObjectDraft {
  const { namespace = '', ...rest } = draft.metadata;
  if (!kind.namespaced) return { ...draft, metadata: rest };
  if (namespace !== '' && namespace !== path.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (path.namespace === '') throw badRequest('an empty namespace may not be set during creation');
  return { ...draft, metadata: { ...rest, namespace: path.namespace } };
}
