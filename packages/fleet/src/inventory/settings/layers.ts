import { joinPath, looksLike, nearestKey } from '@fenestra/contracts/reading';
import type { BatchFile, NodeSettings, SharedSettings } from '../file/schema.ts';
import type { Findings } from './findings.ts';

/** What one part of the file says about a node. */
export interface Layer {
  /** Where it stands in the file. */
  readonly path: string;
  readonly settings: SharedSettings;
}

/** A value, and where in the file it stands. */
export interface Placed<Value> {
  readonly value: Value;
  readonly path: string;
}

/** All that holds for a node, the weightiest first: itself, its groups with the last one first, the defaults. */
export function layersOf(node: NodeSettings, path: string, file: BatchFile, findings: Findings): readonly Layer[] {
  const groups = groupsOf(node).flatMap((name, index): readonly Layer[] => {
    const settings = ownValue(file.groups, name);
    if (settings !== undefined) return [{ path: joinPath('groups', name), settings }];
    const at = Array.isArray(node.groups) ? `${path}.groups[${index}]` : `${path}.groups`;
    findings.problem(at, unknownName('group', name, Object.keys(file.groups ?? {})));
    return [];
  });
  return [{ path, settings: node }, ...groups.toReversed(), { path: 'defaults', settings: file.defaults ?? {} }];
}

/** The names of the groups that a node is in. */
export function groupsOf({ groups }: NodeSettings): readonly string[] {
  return [...new Set(listOf(groups))].filter((name) => name !== '');
}

/** What a mapping of the file has under a name, and never what every object has. */
export function ownValue<Value>(mapping: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return mapping !== undefined && Object.hasOwn(mapping, name) ? mapping[name] : undefined;
}

/** What may be written as one or as a list, as a list. */
export function listOf<Element>(value: Element | readonly Element[] | undefined): readonly Element[] {
  if (value === undefined) return [];
  return isList(value) ? value : [value];
}

function isList<Element>(value: Element | readonly Element[]): value is readonly Element[] {
  return Array.isArray(value);
}

/** The first layer's word on a field; an empty text says nothing. */
export function pick<Value>(
  layers: readonly Layer[],
  field: string,
  read: (settings: SharedSettings) => Value | undefined,
): Placed<Value> | undefined {
  for (const { path, settings } of layers) {
    const value = read(settings);
    if (value !== undefined && value !== '') return { value, path: path === '' ? field : `${path}.${field}` };
  }
  return undefined;
}

/** Names with values of all layers together; of the same name the first layer's counts. */
export function mergeNames(
  layers: readonly Layer[],
  field: string,
  read: (settings: SharedSettings) => Readonly<Record<string, string>> | undefined,
): ReadonlyMap<string, Placed<string>> {
  const entries = layers
    .toReversed()
    .flatMap(({ path, settings }) =>
      Object.entries(read(settings) ?? {}).map(
        ([name, value]) => [name, { value, path: joinPath(`${path}.${field}`, name) }] as const,
      ),
    );
  return new Map(entries);
}

/** What to say of a name that nothing in the file has. */
export function unknownName(kind: string, name: string, names: readonly string[]): string {
  const nearest = nearestKey(name, names);
  if (nearest === undefined) return `names the ${kind} "${name}", but the file has none`;
  return looksLike(name, nearest)
    ? `names the unknown ${kind} "${name}"; did you mean "${nearest}"?`
    : `names the unknown ${kind} "${name}"; the nearest known one is "${nearest}"`;
}
