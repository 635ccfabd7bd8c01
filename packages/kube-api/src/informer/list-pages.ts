import { isJsonObject, listAt, stringAt } from '@fenestra/kernel';
import { pathOf, withType, type ApiKind } from '../api-kind.ts';
import { isGone } from '../api-errors.ts';
import type { Selection } from '../kube-api.ts';
import { isKubeObject, type KubeObject } from '../kube-object.ts';
import type { Transport } from '../transport.ts';

const PAGE = '500';

/** One page of a list. The last one says at which version a watch goes on. */
export interface Page {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
}

/** Lists in pages, so that no answer is ever larger than a few hundred objects. */
export async function* listPages(
  transport: Transport,
  kind: ApiKind,
  selection: Selection,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  let next = '';
  do {
    const query = { ...selectors(selection), limit: PAGE, ...(next === '' ? {} : { continue: next }) };
    const path = pathOf(kind, selection.namespace);
    const body = await transport.request({ action: `list ${kind.plural}`, method: 'GET', path, query }, signal);
    const answer: unknown = JSON.parse(body);
    if (!isJsonObject(answer)) throw new Error(`the list of ${kind.plural} is not an object`);
    next = stringAt(answer, 'metadata', 'continue');
    yield {
      items: readItems(kind, listAt(answer, 'items')),
      resourceVersion: stringAt(answer, 'metadata', 'resourceVersion'),
    };
  } while (next !== '');
}

/** The selectors of a selection as query parameters. */
export function selectors({ labelSelector, fieldSelector }: Selection): Readonly<Record<string, string>> {
  return {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}

/** Every object selected. A list whose pages expired while it was read is begun again, once. */
export async function listAll(
  transport: Transport,
  kind: ApiKind,
  selection: Selection,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  try {
    return await collect(listPages(transport, kind, selection, signal));
  } catch (error) {
    if (!isGone(error)) throw error;
    return await collect(listPages(transport, kind, selection, signal));
  }
}

async function collect(pages: AsyncIterable<Page>): Promise<readonly KubeObject[]> {
  const items: KubeObject[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

/** Items of a list come without their type: they get it back. */
function readItems(kind: ApiKind, items: readonly unknown[]): readonly KubeObject[] {
  return items.flatMap((item) => {
    const object = isJsonObject(item) ? withType(kind, item) : item;
    return isKubeObject(object) ? [object] : [];
  });
}
