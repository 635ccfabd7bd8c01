import { expandRange } from './ansible-range.ts';

/** The hosts that one entry of an inventory stands for. */
export interface HostEntry {
  readonly names: readonly string[];
  readonly port?: string;
}

/** Reads `host`, `host:2222` and ranges of hosts; undefined if a range is wrong. */
export function readHostEntry(pattern: string): HostEntry | undefined {
  const { host, port } = hostAndPort(pattern);
  const names = expandRange(host);
  return names && { names, ...(port === undefined ? {} : { port }) };
}

/** `host:2222`, where the host may be an IPv6 address in brackets, or hold ranges: only their colons may come before. */
function hostAndPort(pattern: string): { readonly host: string; readonly port?: string } {
  const [, host, port] = /^(.+):(\d+)$/.exec(pattern) ?? [];
  const outside = host?.replaceAll(/\[[^[\]]*\]/g, '') ?? '';
  return host === undefined || port === undefined || /[[\]:]/.test(outside) ? { host: pattern } : { host, port };
}
