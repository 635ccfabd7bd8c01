import { OperatorError, type Json } from '@fenestra/kernel';
import { MAX_MESSAGE_DEPTH } from './limits.ts';

/** Parses JSON that somebody else wrote, or throws `MESSAGE_INVALID`. The text is not quoted: it may hold a secret. */
export function parseJson(input: Uint8Array | string): Json {
  const value = tryParseJson(typeof input === 'string' ? input : bytesToText(input));
  if (value !== undefined) return value;
  throw new OperatorError('MESSAGE_INVALID', 'Cannot read a message: it is no JSON or nests too deep', {
    hint: 'Compare the versions of cloud and node.',
  });
}

/** Parses JSON that somebody else wrote; undefined if it is none or nests deeper than can be written again. */
export function tryParseJson(text: string): Json | undefined {
  if (isDeeperThan(text, MAX_MESSAGE_DEPTH)) return undefined;
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

// Short texts cannot nest deep, and most messages are short.
function isDeeperThan(text: string, limit: number): boolean {
  return text.length > 2 * limit && depthOf(text, limit) > limit;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function depthOf(text: string, limit: number): number {
  let depth = 0;
  for (let at = 0; at < text.length && depth <= limit; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isOpening(code)) depth++;
    else if (isClosing(code)) depth--;
  }
  return depth;
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
