import type { Subresource, Verb } from '../objects/resource-kind.ts';
import { notFound } from '../objects/statuses.ts';
import { sendValue } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { inVersionOf } from '../objects/draft.ts';
import { patched } from './patched.ts';
import { contentTypeOf, parseText, readObject, readText } from './read-body.ts';
import { writeOptionsOf } from './write-query.ts';
import type { Json } from '../objects/json.ts';

/** A request to a subresource that the kind answers itself. */
export async function handleSubresource(exchange: Exchange, subresource: Subresource, verb: Verb): Promise<void> {
  const { api, kind, path, query, signal } = exchange;
  const { user, dryRun } = writeOptionsOf(exchange);
  const answer = await subresource.handle({
    verb,
    kind,
    namespace: path.namespace,
    name: path.name,
    body: await bodyOf(exchange, verb),
    query,
    context: { user, dryRun, now: api.now(), objects: api.objects },
    signal,
  });
  sendValue(exchange, answer.status, answer.body);
}

async function bodyOf(exchange: Exchange, verb: Verb): Promise<Json | undefined> {
  const { api, kind, path, request } = exchange;
  if (verb === 'get') return;
  if (verb !== 'patch') return readObject(request, api.protobuf);
  const current = api.objects.get(kind, { namespace: path.namespace, name: path.name });
  if (!current) throw notFound(kind, path.name);
  return patched(kind, inVersionOf(current, kind), contentTypeOf(request), parseText(await readText(request), 'json'));
}
