import { isIPv6 } from 'node:net';
import { plainAddress } from '../file/scalars.ts';
import { entriesOf, SEALED } from './imported.ts';

/** Variables of a host or a group. */
export type Variables = ReadonlyMap<string, unknown>;

/** What an Ansible inventory holds, whatever form it was written in. */
export interface AnsibleInventory {
  readonly hosts: Map<string, AnsibleHost>;
  readonly groups: Map<string, AnsibleGroup>;
}

interface AnsibleHost {
  readonly variables: Map<string, unknown>;
  readonly groups: Set<string>;
}

interface AnsibleGroup {
  readonly variables: Map<string, unknown>;
  readonly children: Set<string>;
}

/** Begins empty. */
export function newInventory(): AnsibleInventory {
  return { hosts: new Map(), groups: new Map() };
}

/** The host of this name, in this group from now on. */
export function hostIn(inventory: AnsibleInventory, name: string, group: string): AnsibleHost {
  const host = inventory.hosts.get(name) ?? { variables: new Map(), groups: new Set<string>() };
  inventory.hosts.set(name, host);
  host.groups.add(group);
  return host;
}

/** The group of this name. */
export function groupIn(inventory: AnsibleInventory, name: string): AnsibleGroup {
  const group = inventory.groups.get(name) ?? { variables: new Map(), children: new Set<string>() };
  inventory.groups.set(name, group);
  return group;
}

/** The groups a host is in, its parents' included, the outermost first: what is said later weighs more. */
export function groupsOfHost({ groups }: AnsibleInventory, host: AnsibleHost): readonly string[] {
  const depths = new Map<string, number>();
  const visit = (name: string, depth: number): void => {
    // A group that holds itself by a detour would be climbed for ever.
    if (depth > groups.size || (depths.get(name) ?? -1) >= depth) return;
    depths.set(name, depth);
    for (const [parent, { children }] of groups) if (children.has(name)) visit(parent, depth + 1);
  };
  for (const name of host.groups) visit(name, 0);
  return [...depths]
    .filter(([name]) => name !== 'all' && name !== 'ungrouped')
    .toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b))
    .map(([name]) => name);
}

/** How everything begins that Ansible has encrypted: a file as well as a single value. */
const HEADER = /^\s*(!vault\s*\||\$ANSIBLE_VAULT;)/;

/** Whether only Ansible can read a value: by its tag, by what it begins with, or as Ansible writes it in JSON. */
export function isEncrypted(value: unknown): boolean {
  if (typeof value === 'string') return HEADER.test(value);
  return value === SEALED || entriesOf(value).some(([key]) => key === '__ansible_vault');
}

/** The hosts that one entry of an inventory stands for. */
interface HostEntry {
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
