import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { MAX_DEPTH } from '@fenestra/contracts/objects';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { Json } from '../objects/json.ts';
import { countValues, MAX_VALUES } from '../objects/object-service.ts';
import { badRequest, StatusError, unsupportedMediaType } from '../objects/status-error.ts';
import { PROTOBUF_TYPE, type ProtobufReader } from './protobuf/decode-object.ts';

const MAX_BYTES = 3 * 1024 * 1024;
/** YAML takes ten times as long to read as JSON. */
const MAX_YAML_CHARACTERS = 512 * 1024;
const MAX_ALIASES = 10;
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
  if (type === PROTOBUF_TYPE) return requireBounded(protobuf.read(bytes));
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

/** Text as a value. Throws 400, and 413 for long YAML or too many values. */
export function parseText(text: string, format: 'json' | 'yaml'): Json {
  return requireBounded(orBadRequest(() => (format === 'json' ? parseJson(text) : parseYaml(text))));
}

function requireBounded<T>(value: T): T {
  const count = countValues(value);
  if (count === Number.POSITIVE_INFINITY) throw badRequest(`the body of the request has more than ${MAX_DEPTH} levels`);
  if (count > MAX_VALUES) throw tooLarge(`${MAX_VALUES} values`);
  return value;
}

/** kubectl sends JSON under the name of YAML when it applies. A key that is there twice is an error. */
function parseYaml(text: string): Json {
  const json = text.startsWith('{') ? jsonIn(text) : undefined;
  if (json !== undefined) return json;
  if (text.length > MAX_YAML_CHARACTERS) throw tooLarge(`${MAX_YAML_CHARACTERS} characters of YAML`);
  const value: unknown = load(text, { schema: CORE_SCHEMA, maxAliases: MAX_ALIASES, maxDepth: MAX_DEPTH });
  // Before aliases are written out.
  return JSON.parse(JSON.stringify(requireBounded(value ?? null), requireExact));
}

/** A number that is out of range would be stored as another one. */
function requireExact(name: string, value: unknown): unknown {
  if (typeof value !== 'number' || (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)))
    return value;
  throw new SyntaxError(`the number in "${name}" is out of range`);
}

function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function orBadRequest(read: () => Json): Json {
  try {
    return read();
  } catch (error) {
    if (error instanceof StatusError) throw error;
    const [why = 'not readable'] = error instanceof Error ? error.message.split('\n', 1) : [];
    throw badRequest(`cannot read the body of the request: ${why}`);
  }
}

function tooLarge(limit = `${MAX_BYTES}`): StatusError {
  return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
}

// Only such digits can be a number that a double cannot hold.
const LARGE = /\d{16}|e\+?\d{3}/i;
const INTEGER = /^-?\d+$/;
const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x30, 0x39];
/** `1e309` is the shortest number that a double cannot hold. */
const SHORTEST_LARGE = 5;
const SHOWN = 40;

/** The value that JSON text stands for. Throws `SyntaxError`, also for a number that would be stored as another one. */
export function parseJson(text: string): Json {
  const value: Json = JSON.parse(text);
  if (LARGE.test(text)) requireExactNumbers(text);
  return value;
}

/** Scans valid JSON. A reviver does the same, but takes a second for 3 MB of small values. */
function requireExactNumbers(text: string): void {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, at);
      if (end - at >= SHORTEST_LARGE) requireExactNumber(text.slice(at, end));
      at = end - 1;
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && '0123456789.eE+-'.includes(text.charAt(at))) at += 1;
  return at;
}

function requireExactNumber(number: string): void {
  const value = Number(number);
  if (INTEGER.test(number) ? Number.isSafeInteger(value) : Number.isFinite(value)) return;
  throw new SyntaxError(`the number ${number.slice(0, SHOWN)} is out of range`);
}
