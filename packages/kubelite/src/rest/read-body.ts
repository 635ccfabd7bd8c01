import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';
import type { Json } from '../objects/json.ts';
import { StatusError } from '../objects/status-error.ts';
import { badRequest, unsupportedMediaType } from '../objects/statuses.ts';
import { parseJson } from './parse-json.ts';
import { PROTOBUF_TYPE, type ProtobufReader } from './protobuf/decode-object.ts';

const MAX_BYTES = 3 * 1024 * 1024;
const OBJECT_TYPES = ['application/json', 'application/yaml', PROTOBUF_TYPE];

/** The type of the body without its parameters; `application/json` where none is given. */
export function contentTypeOf(request: IncomingMessage): string {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase() || 'application/json';
}

/** The body of a request that sends an object; undefined when it is empty. Throws 413, 415 or 400. */
export async function readObject(request: IncomingMessage, protobuf: ProtobufReader): Promise<Json | undefined> {
  const type = contentTypeOf(request);
  if (!OBJECT_TYPES.includes(type)) throw unsupportedMediaType(OBJECT_TYPES);
  const bytes = await readBytes(request);
  if (bytes.length === 0) return;
  if (type === PROTOBUF_TYPE) return protobuf.read(bytes);
  return parseText(textOf(bytes), type === 'application/yaml' ? 'yaml' : 'json');
}

/** The whole body as text, up to 3 MiB. */
export async function readText(request: IncomingMessage): Promise<string> {
  return textOf(await readBytes(request));
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BYTES) throw tooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Bytes that are not text would be stored as replacement characters. */
function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badRequest('the body of the request is not valid UTF-8');
  return bytes.toString('utf8');
}

/** Text as a value. YAML that expands itself without end is refused. Throws 400. */
export function parseText(text: string, format: 'json' | 'yaml'): Json {
  try {
    const value: Json = format === 'json' ? parseJson(text) : parse(text, { maxAliasCount: 20, schema: 'core' });
    return value;
  } catch (error) {
    throw badRequest(`cannot read the body of the request: ${error instanceof Error ? error.message : 'not readable'}`);
  }
}

function tooLarge(): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BYTES}`);
}
