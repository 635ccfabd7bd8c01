import { entriesOf, SEALED } from './read-yaml.ts';

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
