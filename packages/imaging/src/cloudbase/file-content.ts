import { gunzipSync } from 'node:zlib';

/** What is written of a file's content, and what went wrong on the way. */
export interface DecodedContent {
  readonly bytes: Buffer;
  readonly problem: 'unknown-encoding' | 'bad-base64' | 'bad-gzip' | undefined;
}

const BASE64 = ['b64', 'base64'];
const GZIP = ['gz', 'gzip'];
const BOTH = ['gz+base64', 'gzip+base64', 'gz+b64', 'gzip+b64'];

/** Decodes as cloudbase-init does: what cannot be decoded is written as it stands. */
export function decodeContent(content: string, encoding: string | undefined): DecodedContent {
  const plain = Buffer.from(content, 'utf8');
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '') return { bytes: plain, problem: undefined };
  if (BASE64.includes(name)) return unbase64(plain);
  if (GZIP.includes(name)) return ungzip(plain);
  if (!BOTH.includes(name)) return { bytes: plain, problem: 'unknown-encoding' };
  const packed = unbase64(plain);
  const unpacked = ungzip(packed.bytes);
  return { bytes: unpacked.bytes, problem: packed.problem ?? unpacked.problem };
}

/** Python passes over whatever is no letter of base64, and counts the rest. */
function unbase64(bytes: Buffer): DecodedContent {
  const letters = bytes.toString('latin1').replaceAll(/[^A-Za-z0-9+/=]/g, '');
  if (letters.length % 4 !== 0) return { bytes, problem: 'bad-base64' };
  return { bytes: Buffer.from(letters, 'base64'), problem: undefined };
}

function ungzip(bytes: Buffer): DecodedContent {
  try {
    return { bytes: gunzipSync(bytes), problem: undefined };
  } catch {
    return { bytes, problem: 'bad-gzip' };
  }
}

const DEFAULT_MODE = 0o644;

/** A file's mode: a text is octal, a number counts as it is, and anything else is 0644. */
export function fileMode(permissions: unknown): number {
  if (typeof permissions === 'number') return Math.trunc(permissions);
  if (typeof permissions !== 'string') return DEFAULT_MODE;
  const digits = /^\s*(?:0[oO])?([0-7]+)\s*$/.exec(permissions)?.[1];
  return digits === undefined ? DEFAULT_MODE : Number.parseInt(digits, 8);
}

/** On Windows a mode means one thing only: without the owner's right to write, the file becomes read-only. */
export function isReadOnly(mode: number): boolean {
  return (mode & 0o200) === 0;
}
