import { StatusError } from '../objects/status-error.ts';
import { apiVersionOf } from '../objects/resource-kind.ts';
import { sendValue } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { deleteOptionsOf } from './handle-delete.ts';

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
