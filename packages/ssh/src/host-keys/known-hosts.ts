import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** One line of a known_hosts file that names a key. */
export interface KnownHost {
  readonly file: string;
  readonly line: number;
  readonly marker: 'revoked' | 'cert-authority' | undefined;
  /** The first field, as it stands. */
  readonly hosts: string;
  readonly key: PublicKey;
}

/** The lines of a known_hosts file; what is no such line is left out, as OpenSSH does. */
export function parseKnownHosts(file: string, text: string): readonly KnownHost[] {
  return text.split('\n').flatMap((line, index) => parseLine(file, index + 1, line.trim()));
}

/** The lines that speak of a host, in any of the ways it can be named. */
export function linesFor(names: readonly string[], lines: readonly KnownHost[]): readonly KnownHost[] {
  return lines.filter(({ hosts }) => names.some((name) => namesHost(hosts, name)));
}

/** The line that records a key for a host. */
export function knownHostsLine(name: string, type: string, key: PublicKey): string {
  return `${name} ${type} ${key.toString('base64')}\n`;
}

function parseLine(file: string, line: number, text: string): readonly KnownHost[] {
  if (text === '' || text.startsWith('#')) return [];
  const [first = '', ...others] = text.split(/\s+/);
  const marker = markerOf(first);
  if (marker === undefined && first.startsWith('@')) return [];
  const [hosts = '', ...key] = marker === undefined ? [first, ...others] : others;
  const parsed = wholeKey(key.slice(1, 2).join(' '));
  return parsed === undefined ? [] : [{ file, line, marker, hosts, key: parsed }];
}

function markerOf(word: string): KnownHost['marker'] {
  if (word === '@revoked') return 'revoked';
  return word === '@cert-authority' ? 'cert-authority' : undefined;
}

const FINGERPRINT = 'SHA256:';
const LENGTH_BYTES = 4;

/** A host's public key as it goes over the wire: it begins with its own type. */
export type PublicKey = Buffer;

/** The type of a key, as known_hosts files name it: `ssh-ed25519`. */
export function keyType(key: PublicKey): string {
  if (key.length < LENGTH_BYTES) return '';
  return key.subarray(LENGTH_BYTES, LENGTH_BYTES + key.readUInt32BE(0)).toString('latin1');
}

/** What people compare: `SHA256:…`, as ssh-keygen prints it. */
export function fingerprint(key: PublicKey): string {
  return FINGERPRINT + createHash('sha256').update(key).digest('base64').replaceAll('=', '');
}

/** A pin is a fingerprint, or a whole public key with or without its type and comment. */
export function pinMatches(pin: string, key: PublicKey): boolean {
  const text = pin.trim();
  if (text.startsWith(FINGERPRINT)) return text.replaceAll('=', '') === fingerprint(key);
  return wholeKey(text)?.equals(key) ?? false;
}

/** The key that a pin spells out, or undefined if it is a fingerprint. */
export function wholeKey(pin: string): PublicKey | undefined {
  // Every key begins with the length of its type's name, which is below 64 KiB: in base64 that is always "AAAA".
  const blob = pin.split(/\s+/).find((word) => word.startsWith('AAAA'));
  return blob === undefined ? undefined : Buffer.from(blob, 'base64');
}

const DEFAULT_PORT = 22;
const HASHED = '|1|';

/** How known_hosts files name a host: `[host]:port` where the port is not the usual one. */
export function hostName(host: string, port: number): string {
  const plain = withoutBrackets(host).toLowerCase();
  return port === DEFAULT_PORT ? plain : `[${plain}]:${port}`;
}

/** An address of IPv6 may be written in brackets. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Whether the first field of a known_hosts line speaks of this host. */
export function namesHost(field: string, name: string): boolean {
  return field.startsWith(HASHED) ? hashedNames(field, name) : patternsName(field.split(','), name);
}

/** Whether patterns fit a name in lower case. A negated pattern that fits rules all others out. */
export function patternsName(patterns: readonly string[], name: string): boolean {
  const wanted = patterns.map((pattern) => pattern.toLowerCase());
  if (wanted.some((pattern) => pattern.startsWith('!') && fits(pattern.slice(1), name))) return false;
  return wanted.some((pattern) => fits(pattern, name));
}

function hashedNames(field: string, name: string): boolean {
  const [salt = '', digest = ''] = field.slice(HASHED.length).split('|');
  const wanted = Buffer.from(digest, 'base64');
  // The format's own choice of digest: it hides names, it proves nothing.
  const found = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
  return wanted.length === found.length && timingSafeEqual(wanted, found);
}

/** Whether a pattern with `*` and `?` fits a name. */
export function fits(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === name;
  const expression = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${expression.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(name);
}
