import type { Json } from '../objects/json.ts';

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
      if (end - at >= SHORTEST_LARGE) requireExact(text.slice(at, end));
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

function requireExact(number: string): void {
  const value = Number(number);
  if (INTEGER.test(number) ? Number.isSafeInteger(value) : Number.isFinite(value)) return;
  throw new SyntaxError(`the number ${number.slice(0, SHOWN)} is out of range`);
}
