import { OperatorError, type Json } from '@fenestra/kernel';
import { MAX_MESSAGE_DEPTH } from './limits.ts';

/** Parses JSON of another program, or throws `MESSAGE_INVALID`. The text is not quoted: it may hold a secret. */
export function parseJson(input: Uint8Array | string, maxValues?: number): Json {
  const value = tryParseJson(typeof input === 'string' ? input : bytesToText(input), maxValues);
  if (value !== undefined) return value;
  throw new OperatorError(
    'MESSAGE_INVALID',
    'Cannot read a message: it is not JSON, nests too deep or holds too many values',
    { hint: 'Compare the versions of cloud and node.' },
  );
}

/**
 * Parses JSON of another program; undefined if it is not JSON, nests deeper than can be written again, or holds more
 * values than allowed. Both limits are checked before anything is parsed.
 */
export function tryParseJson(text: string, maxValues = Number.POSITIVE_INFINITY): Json | undefined {
  if (exceeds(text, { depth: MAX_MESSAGE_DEPTH, values: maxValues })) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** A value that other code made out of JSON parts, such as a Kubernetes client's object, as the JSON it is on the wire. */
export function toJson(value: unknown): Json {
  const json: Json = JSON.parse(JSON.stringify(value ?? null));
  return json;
}

function bytesToText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

interface Complexity {
  readonly depth: number;
  readonly values: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

// Short texts cannot nest deep, and most messages are short.
function exceeds(text: string, limit: Complexity): boolean {
  return text.length > 2 * Math.min(limit.depth, limit.values) && isTooComplex(text, limit);
}

/** Every value but the first of a list or object follows a comma, and every list or object has a first. */
function isTooComplex(text: string, limit: Complexity): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length && depth <= limit.depth && values <= limit.values; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA) values++;
    else if (isOpening(code)) {
      depth++;
      values++;
    } else if (isClosing(code)) depth--;
  }
  return depth > limit.depth || values > limit.values;
}

// Strings make up most of a message, and `indexOf` is far quicker than a loop.
function endOfString(text: string, start: number): number {
  let at = start;
  do {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
  } while (isEscaped(text, at));
  return at;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

// `[` and `{` differ in one bit, and so do `]` and `}`.
function isOpening(code: number): boolean {
  return (code | 0x20) === 0x7b;
}

function isClosing(code: number): boolean {
  return (code | 0x20) === 0x7d;
}
