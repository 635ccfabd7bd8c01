import { createPrivateKey, createPublicKey, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { nodeRequestSubject } from '@fenestra/contracts';

const ATTRIBUTES: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  O: '2.5.4.10',
};
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';

/** Makes a P-256 key; PEM, in the form upstream writes: `EC PRIVATE KEY`. */
export function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'sec1', format: 'pem' }).toString();
}

/**
 * Asks, as upstream's agent does, for a certificate of this key as the node of this name; returns PKCS#10 in DER. Written
 * manually, since loading a library for certificates would cost the agent more memory than all of its connection.
 */
export function makeCertificateRequest(nodeName: string, key: string): Buffer {
  const privateKey = createPrivateKey(key);
  const body = sequence(zero(), subject(nodeName), publicKeyOf(privateKey), emptyContext());
  const signature = createSign('sha256').update(body).sign(privateKey);
  return sequence(body, sequence(identifier(ECDSA_WITH_SHA256)), bitString(signature));
}

function subject(nodeName: string): Buffer {
  return sequence(...nodeRequestSubject(nodeName).map(([name, value]) => setOf(attribute(name, value))));
}

function attribute(name: string, value: string): Buffer {
  return sequence(identifier(ATTRIBUTES[name] ?? ''), text(value, name === 'C' ? 'printable' : 'utf8'));
}

function publicKeyOf(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
}

/** The few kinds of DER values a certificate request is made of (ITU-T X.690). */
const TAGS = { integer: 0x02, bitString: 0x03, identifier: 0x06, utf8: 0x0c, printable: 0x13 } as const;
const SEQUENCE = 0x30;
const SET = 0x31;
const CONTEXT_0 = 0xa0;

/** A sequence of encoded values. */
function sequence(...parts: readonly Uint8Array[]): Buffer {
  return encode(SEQUENCE, Buffer.concat(parts));
}

/** A set of one encoded value. */
function setOf(part: Uint8Array): Buffer {
  return encode(SET, part);
}

/** An empty value tagged `[0]`. */
function emptyContext(): Buffer {
  return encode(CONTEXT_0, Buffer.alloc(0));
}

/** The number zero. */
function zero(): Buffer {
  return encode(TAGS.integer, Buffer.from([0]));
}

/** A string of whole bytes. */
function bitString(bytes: Uint8Array): Buffer {
  return encode(TAGS.bitString, Buffer.concat([Buffer.from([0]), bytes]));
}

/** A text; `printable` only where the standard asks for it, as for countries. */
function text(value: string, kind: 'utf8' | 'printable'): Buffer {
  return encode(TAGS[kind], Buffer.from(value, 'utf8'));
}

/** An object identifier in dotted form. */
function identifier(dotted: string): Buffer {
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
