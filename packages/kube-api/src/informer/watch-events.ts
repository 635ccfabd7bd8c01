import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject, listAt, stringAt } from '@fenestra/kernel';
import { isGone, refusedError } from '../api-errors.ts';
import { type ApiKind, isKubeObject, type KubeObject, pathOf, withType } from '../api-kind.ts';
import type { Selection } from '../kube-api.ts';
import type { Transport } from '../transport.ts';

/** One line of a watch: a change, or the news that all up to a version has been sent. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

const LONGEST_LINE = 32 * 1024 * 1024;

/** The events of a watch until the server ends it. An `ERROR` event is thrown as the failure it describes. */
export async function* watchEvents(response: IncomingMessage, action: string): AsyncGenerator<WatchEvent> {
  for await (const line of linesOf(response)) {
    const event: unknown = JSON.parse(line);
    if (!isJsonObject(event)) throw new Error('a watch event is not an object');
    const read = readEvent(event, action);
    if (read !== undefined) yield read;
  }
}

function readEvent(event: JsonObject, action: string): WatchEvent | undefined {
  const { type, object } = event;
  if (type === 'ERROR') throw refusedError(action, codeOf(object), JSON.stringify(object));
  if (type === 'BOOKMARK') return readBookmark(object);
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED') return undefined;
  if (!isKubeObject(object)) throw new Error('a watch event contains no object');
  return { type, object };
}

function readBookmark(object: unknown): WatchEvent | undefined {
  const metadata = isJsonObject(object) ? object['metadata'] : undefined;
  const resourceVersion = isJsonObject(metadata) ? metadata['resourceVersion'] : undefined;
  return typeof resourceVersion === 'string' ? { type: 'BOOKMARK', resourceVersion } : undefined;
}

function codeOf(status: unknown): number {
  return isJsonObject(status) && typeof status['code'] === 'number' ? status['code'] : 500;
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding('utf8');
  let pending: string[] = [];
  let length = 0;
  for await (const chunk of response) {
    const parts = String(chunk).split('\n');
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        const line = pending.join('');
        [pending, length] = [[], 0];
        if (line.trim() !== '') yield line;
      }
      length += part.length;
      if (length > LONGEST_LINE) throw new Error(`a watch event is longer than ${LONGEST_LINE} characters`);
      pending.push(part);
    }
  }
}

const PAGE = '500';

/** One page of a list. The last one says at which version a watch goes on. */
interface Page {
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
