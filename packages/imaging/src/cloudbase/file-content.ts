import { gunzipSync } from 'node:zlib';
import { pythonText } from './cloud-config/python.ts';

/** What is written of a file's content, and what went wrong on the way. Of a damaged one nothing is written. */
export interface DecodedContent {
  readonly bytes: Buffer;
  readonly problem: 'unknown-encoding' | 'bad-base64' | 'bad-gzip' | 'damaged-gzip' | undefined;
}

const BASE64 = ['b64', 'base64'];
const GZIP = ['gz', 'gzip'];
const BOTH = ['gz+base64', 'gzip+base64', 'gz+b64', 'gzip+b64'];

/** Decodes as cloudbase-init does: what cannot be decoded is written unchanged. */
export function decodeContent(content: string | Uint8Array, encoding: string | undefined): DecodedContent {
  const plain = Buffer.from(content);
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '') return { bytes: plain, problem: undefined };
  if (BASE64.includes(name)) return unbase64(plain);
  if (GZIP.includes(name)) return ungzip(plain);
  if (!BOTH.includes(name)) return { bytes: plain, problem: 'unknown-encoding' };
  const packed = unbase64(plain);
  const unpacked = ungzip(packed.bytes);
  return { bytes: unpacked.bytes, problem: packed.problem ?? unpacked.problem };
}

function unbase64(bytes: Buffer): DecodedContent {
  const decoded = decodePythonBase64(bytes.toString('latin1'));
  return decoded === undefined ? { bytes, problem: 'bad-base64' } : { bytes: decoded, problem: undefined };
}

function ungzip(bytes: Buffer): DecodedContent {
  if (bytes.length === 0) return { bytes, problem: undefined };
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { bytes, problem: 'bad-gzip' };
  try {
    return { bytes: gunzipSync(bytes), problem: undefined };
  } catch (error) {
    return { bytes, problem: isNoticed(error) ? 'bad-gzip' : 'damaged-gzip' };
  }
}

/** cloudbase-init is prepared for a wrong header or a wrong sum, but not for data that end early or make no sense. */
function isNoticed(error: unknown): boolean {
  return error instanceof Error && /header check|compression method|data check|length check/.test(error.message);
}

const DEFAULT_MODE = 0o644;

/** A file's mode: a text is octal, a number counts as it is, and anything else is 0644. */
export function fileMode(permissions: unknown): number {
  return readMode(permissions) ?? DEFAULT_MODE;
}

/** The same, but `undefined` for what is not a mode. */
export function readMode(permissions: unknown): number | undefined {
  if (typeof permissions === 'number') return Math.trunc(permissions);
  if (typeof permissions === 'boolean') return Number(permissions);
  if (typeof permissions !== 'string') return undefined;
  const digits = /^\s*\+?(?:0[oO]_?)?([0-7]+(?:_[0-7]+)*)\s*$/.exec(permissions)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits.replaceAll('_', ''), 8);
}

/** On Windows a mode means one thing only: without the owner's right to write, the file becomes read-only. */
export function isReadOnly(mode: number): boolean {
  return (mode & 0o200) === 0;
}

/**
 * Decodes base64 as Python does: letters of no meaning are skipped, padding that fits ends it, and what comes after
 * that is not looked at. `undefined` where the letters do not come out even.
 */
export function decodePythonBase64(text: string): Buffer | undefined {
  let [letters, pads] = ['', 0];
  for (const sign of text) {
    if (/[A-Za-z0-9+/]/.test(sign)) {
      letters += sign;
      pads = 0;
    } else if (sign === '=' && letters.length % 4 >= 2 && (letters.length % 4) + ++pads >= 4) {
      return Buffer.from(letters, 'base64');
    }
  }
  return letters.length % 4 === 0 ? Buffer.from(letters, 'base64') : undefined;
}

/** The longest line that cmd.exe reads. */
export const LONGEST_CMD_LINE = 8191;

/** One entry of `runcmd` as the line it becomes; `undefined` for what stops the whole script from being made. */
export function runcmdLine(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  return Array.isArray(entry) ? entry.map((word) => pythonText(word)).join(' ') : undefined;
}

/** The one script that all entries of `runcmd` become. */
export function runcmdScript(lines: readonly string[]): string {
  return ['rem cmd', ...lines].map((line) => `${line}\r\n`).join('');
}

interface ExitMeaning {
  readonly reboots: boolean;
  readonly runsAgain: boolean;
}

/** A script that is the user-data itself, or a part of it. Only three codes mean anything. */
export function exitOfScript(code: number): ExitMeaning {
  if (code < 1001 || code > 1003) return { reboots: false, runsAgain: false };
  return { reboots: code % 2 === 1, runsAgain: code >= 1002 };
}

/** The script of `runcmd`: a wish for a reboot comes back as 1003, and 1002 is lost. */
export function exitOfRuncmd(code: number): ExitMeaning {
  const { reboots } = exitOfScript(code);
  return { reboots, runsAgain: reboots };
}
