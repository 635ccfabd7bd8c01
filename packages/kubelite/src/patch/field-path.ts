import { isJsonObject, type Json, type JsonObject } from '../objects/json.ts';

/** One step of a path as `fieldsV1` spells it: `f:name`, `k:{"name":"x"}`, `v:"x"`, or `.`. */
export type PathElement = string;

/** The element of a field. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** The element of a value in a set. */
export function valueElement(value: Json): PathElement {
  return `v:${JSON.stringify(value)}`;
}

/** The element of a list item; undefined when it lacks a key. A port without a protocol is a TCP port. */
export function itemElement(item: JsonObject, keys: readonly string[]): PathElement | undefined {
  const found = keys.map((key): [string, Json | undefined] => [key, item[key] ?? defaultOf(key)]);
  if (found.some(([, value]) => value === undefined)) return;
  return `k:${JSON.stringify(Object.fromEntries(found))}`;
}

/** The path as a person reads it in a conflict: `.spec.containers[name="x"].image`. */
export function describePath(path: readonly PathElement[]): string {
  return path.map(describeElement).join('');
}

function defaultOf(key: string): Json | undefined {
  return key === 'protocol' ? 'TCP' : undefined;
}

function describeElement(element: PathElement): string {
  if (element === '.') return '';
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('v:')) return `[=${rest}]`;
  const keys: Json = JSON.parse(rest);
  const pairs = isJsonObject(keys) ? Object.entries(keys).map(([key, value]) => `${key}=${JSON.stringify(value)}`) : [];
  return `[${pairs.join(',')}]`;
}
