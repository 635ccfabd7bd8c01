import { isJsonArray, isJsonObject, sameJson, type Json, type JsonObject } from '../objects/json.ts';
import { objectFrom } from './merge-patch.ts';

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
  return `k:${JSON.stringify(objectFrom(found))}`;
}

/** The value at a path; undefined where there is none. */
export function valueAtPath(value: Json | undefined, path: readonly PathElement[]): Json | undefined {
  let current = value;
  for (const element of path) current = step(current, element);
  return current;
}

/** A copy without the value at the path, and without the objects that this left empty. */
export function removeAtPath(value: Json | undefined, path: readonly PathElement[]): Json | undefined {
  const [element, ...rest] = path;
  if (element === undefined || element === '.') return;
  const below = step(value, element);
  if (below === undefined) return value;
  const left = removeAtPath(below, rest);
  const emptied = rest.length > 0 && left !== undefined && isEmpty(left);
  return replaceStep(value, element, emptied ? undefined : left);
}

/** The path as a person reads it in a conflict: `.spec.containers[name="x"].image`. */
export function describePath(path: readonly PathElement[]): string {
  return path.map(describeElement).join('');
}

function step(value: Json | undefined, element: PathElement): Json | undefined {
  if (element === '.') return value;
  const rest = element.slice(2);
  if (element.startsWith('f:')) return isJsonObject(value) && Object.hasOwn(value, rest) ? value[rest] : undefined;
  if (!isJsonArray(value)) return;
  const wanted: Json = JSON.parse(rest);
  return value.find((item) => (element.startsWith('v:') ? sameJson(item, wanted) : hasKeys(item, wanted)));
}

function replaceStep(value: Json | undefined, element: PathElement, next: Json | undefined): Json | undefined {
  if (element.startsWith('f:') && isJsonObject(value)) {
    const others = Object.entries(value).filter(([key]) => fieldElement(key) !== element);
    return objectFrom(next === undefined ? others : [...others, [element.slice(2), next]]);
  }
  if (!isJsonArray(value)) return value;
  const found = step(value, element);
  return value.flatMap((item) => (item === found ? (next === undefined ? [] : [next]) : [item]));
}

function hasKeys(item: Json, keys: Json): boolean {
  if (!isJsonObject(item) || !isJsonObject(keys)) return false;
  return Object.entries(keys).every(([key, value]) => sameJson(item[key] ?? defaultOf(key), value));
}

function defaultOf(key: string): Json | undefined {
  return key === 'protocol' ? 'TCP' : undefined;
}

function isEmpty(value: Json): boolean {
  return isJsonObject(value) ? Object.keys(value).length === 0 : isJsonArray(value) && value.length === 0;
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
