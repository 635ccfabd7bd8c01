import { createHmac, timingSafeEqual } from 'node:crypto';

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

/** Whether the first field of a known_hosts line speaks of this host. A negated pattern that fits rules the line out. */
export function namesHost(field: string, name: string): boolean {
  if (field.startsWith(HASHED)) return hashedNames(field, name);
  const patterns = field.split(',').map((pattern) => pattern.toLowerCase());
  if (patterns.some((pattern) => pattern.startsWith('!') && fits(pattern.slice(1), name))) return false;
  return patterns.some((pattern) => fits(pattern, name));
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
