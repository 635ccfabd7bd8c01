import { namesHost } from './host-pattern.ts';
import { type PublicKey, wholeKey } from './public-key.ts';

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
