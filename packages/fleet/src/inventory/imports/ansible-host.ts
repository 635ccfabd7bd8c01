import { isIPv6 } from 'node:net';
import { plainAddress } from '../file/scalars.ts';

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

/** More hosts than this were not meant. */
const MOST = 100_000;

/** The hosts that a pattern such as `web[01:20].example` or `db-[a:f]` stands for; undefined if a range is wrong. */
export function expandRange(pattern: string): readonly string[] | undefined {
  const [range, first = '', last = '', step = '1'] = /\[(\w+):(\w+)(?::(\d+))?\]/.exec(pattern) ?? [];
  if (range === undefined) return isWhole(pattern) ? [pattern] : undefined;
  const values = valuesOf(first, last, Number(step));
  if (values === undefined) return undefined;
  const expanded = values.map((value) => expandRange(pattern.replace(range, value)));
  return expanded.some((names) => names === undefined) ? undefined : expanded.flatMap((names) => names ?? []);
}

/** Brackets that are left hold an IPv6 address; a range that is never closed, or one written otherwise, leaves some too. */
function isWhole(name: string): boolean {
  return !/[[\]]/.test(name) || isBracketedAddress(name);
}

/** Whether this is an IPv6 address in brackets. */
export function isBracketedAddress(text: string): boolean {
  return text.startsWith('[') && isIPv6(plainAddress(text));
}

function valuesOf(first: string, last: string, step: number): readonly string[] | undefined {
  if (step < 1) return undefined;
  if (/^\d+$/.test(first) && /^\d+$/.test(last)) {
    const width = first.startsWith('0') ? first.length : 0;
    return count(Number(first), Number(last), step)?.map((value) => String(value).padStart(width, '0'));
  }
  if (!/^[a-z]$|^[A-Z]$/.test(first) || !/^[a-z]$|^[A-Z]$/.test(last)) return undefined;
  return count(first.charCodeAt(0), last.charCodeAt(0), step)?.map((code) => String.fromCharCode(code));
}

function count(first: number, last: number, step: number): readonly number[] | undefined {
  const length = Math.floor((last - first) / step) + 1;
  return length < 1 || length > MOST ? undefined : Array.from({ length }, (_, index) => first + index * step);
}
