import { inVersionOf } from '../objects/draft.ts';
import { notFound } from '../objects/statuses.ts';
import { sendObject } from './answer.ts';
import { keyOf, type Exchange } from './exchange.ts';

/** `GET` of one object, or of its status, which is the whole object too. */
export async function handleGet(exchange: Exchange): Promise<void> {
  const { api, kind, path } = exchange;
  const object = api.objects.get(kind, keyOf(exchange));
  if (!object) throw notFound(kind, path.name);
  sendObject(exchange, 200, inVersionOf(object, kind));
}
