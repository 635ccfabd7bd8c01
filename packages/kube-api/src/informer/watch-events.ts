import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject } from '@fenestra/kernel';
import { refusedError } from '../api-errors.ts';
import { isKubeObject, type KubeObject } from '../kube-object.ts';

/** One line of a watch: a change, or the news that all up to a version has been told. */
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
