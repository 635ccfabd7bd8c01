/** The few kinds of DER values a certificate request is made of (ITU-T X.690). */
const TAGS = { integer: 0x02, bitString: 0x03, identifier: 0x06, utf8: 0x0c, printable: 0x13 } as const;
const SEQUENCE = 0x30;
const SET = 0x31;
const CONTEXT_0 = 0xa0;

/** A sequence of encoded values. */
export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return encode(SEQUENCE, Buffer.concat(parts));
}

/** A set of one encoded value. */
export function setOf(part: Uint8Array): Buffer {
  return encode(SET, part);
}

/** An empty value tagged `[0]`. */
export function emptyContext(): Buffer {
  return encode(CONTEXT_0, Buffer.alloc(0));
}

/** The number zero. */
export function zero(): Buffer {
  return encode(TAGS.integer, Buffer.from([0]));
}

/** A string of whole bytes. */
export function bitString(bytes: Uint8Array): Buffer {
  return encode(TAGS.bitString, Buffer.concat([Buffer.from([0]), bytes]));
}

/** A text; `printable` only where the standard asks for it, as for countries. */
export function text(value: string, kind: 'utf8' | 'printable'): Buffer {
  return encode(TAGS[kind], Buffer.from(value, 'utf8'));
}

/** An object identifier in dotted form. */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encode(TAGS.identifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): number[] {
  const digits = [number % 128];
  for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128)) digits.unshift(128 + (left % 128));
  return digits;
}

function encode(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): number[] {
  if (length < 128) return [length];
  return length < 256 ? [0x81, length] : [0x82, Math.floor(length / 256), length % 256];
}
