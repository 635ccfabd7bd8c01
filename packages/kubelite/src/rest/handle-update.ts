import { parseDraft } from '../objects/draft.ts';
import { methodNotAllowed } from '../objects/statuses.ts';
import { sendWritten } from './answer.ts';
import { keyOf, type Exchange } from './exchange.ts';
import { inNamespace } from './handle-create.ts';
import { readObject } from './read-body.ts';
import { checkFields, writeOptionsOf } from './write-query.ts';

/** `PUT` of an object or of its status. */
export async function handleUpdate(exchange: Exchange): Promise<void> {
  const { api, kind, path, request } = exchange;
  if (path.name === '') throw methodNotAllowed();
  const draft = inNamespace(exchange, parseDraft(await readObject(request, api.protobuf), kind));
  checkFields(exchange, draft);
  const updated = await api.objects.update(kind, keyOf(exchange), () => draft, writeOptionsOf(exchange));
  sendWritten(exchange, 200, updated);
}
