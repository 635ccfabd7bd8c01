import type { SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { isJsonObject, type Json } from '../objects/json.ts';
import { StatusError } from '../objects/status-error.ts';

/** The checksum that is stored beside a text. */
export function checksumOf(text: string): number {
  return crc32(text);
}

/** Columns of a row. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Why the body of a row cannot be trusted; undefined if it can. A row without a checksum has to be an object. */
export function damageOf({ body, checksum }: Row): string | undefined {
  if (typeof body !== 'string') return 'its text cannot be read';
  if (checksum === null) return isObject(body) ? undefined : 'its text is not an object';
  return checksum === checksumOf(body) ? undefined : 'its text does not match its checksum';
}

/** The body of a row. Throws 500 rather than serve one that changed on the disk. */
export function bodyOf({ body, checksum }: Row, place: { readonly resource: string; readonly name?: string }): string {
  if (typeof body === 'string' && checksum === checksumOf(body)) return body;
  const what = place.name === undefined ? `an object of "${place.resource}"` : `"${place.name}" of "${place.resource}"`;
  const hint = 'restart the cloud, which names it in the log and sets it aside';
  throw new StatusError(500, 'InternalError', `${what} is damaged on the disk: ${hint}`);
}

function isObject(body: string): boolean {
  try {
    const value: Json = JSON.parse(body);
    return isJsonObject(value) && isJsonObject(value['metadata']);
  } catch {
    return false;
  }
}
