import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';
import type { ListShapes } from './list-shape.ts';

/** A set of fields as a tree of path elements; a node without children is a field of the set. `.` is the node itself. */
export type Fields = ReadonlyMap<PathElement, Fields>;

/** The field itself, beside the ones below it: how a list item is owned as such. */
export const SELF = '.';

/** The field as a whole: nothing below it is distinguished. */
export const WHOLE: Fields = new Map();

/** Every field a value has. */
export function fieldsOf(value: Json | undefined, path: readonly string[], shapes: ListShapes): Fields {
  if (isJsonObject(value)) return fieldsOfObject(value, path, shapes);
  if (!isJsonArray(value)) return WHOLE;
  const shape = shapes(path);
  if (shape.type === 'set') return new Map(value.map((item) => [valueElement(item), WHOLE]));
  const elements = shape.type === 'map' ? keyedItems(value, shape.keys) : undefined;
  if (!elements) return WHOLE;
  return new Map([...elements].map(([element, item]) => [element, itemFields(item, path, shapes)]));
}

/** The fields of a list item: itself, and all below. */
export function itemFields(item: JsonObject, path: readonly string[], shapes: ListShapes): Fields {
  return new Map([[SELF, WHOLE], ...fieldsOf(item, path, shapes)]);
}

/** Items of a list by their keys, or undefined when a key is missing or not unique: then the list is one value. */
export function keyedItems(
  list: readonly Json[],
  keys: readonly string[],
): ReadonlyMap<PathElement, JsonObject> | undefined {
  const items = new Map<PathElement, JsonObject>();
  for (const item of list) {
    const element = isJsonObject(item) ? itemElement(item, keys) : undefined;
    if (element === undefined || !isJsonObject(item) || items.has(element)) return;
    items.set(element, item);
  }
  return items;
}

/** Finds the child of a value that a path element names; undefined where there is none. */
export function childLookup(
  value: Json | undefined,
  path: readonly string[],
  shapes: ListShapes,
): (element: PathElement) => Json | undefined {
  if (isJsonObject(value)) return (element) => fieldOf(value, element);
  if (!isJsonArray(value)) return () => undefined;
  const shape = shapes(path);
  if (shape.type === 'atomic') return () => undefined;
  const items =
    shape.type === 'set' ? new Map(value.map((item) => [valueElement(item), item])) : keyedItems(value, shape.keys);
  return (element) => items?.get(element);
}

/** The path of field names below an element: list items add none. */
export function pathBelow(path: readonly string[], element: PathElement): readonly string[] {
  return element.startsWith('f:') ? [...path, element.slice(2)] : path;
}

/** All sets together. */
export function unionOf(sets: Iterable<Fields>): Fields {
  const joined: Growing = new Map();
  for (const fields of sets) addAll(joined, fields);
  return joined;
}

type Growing = Map<PathElement, Growing>;

function addAll(joined: Growing, fields: Fields): void {
  for (const [element, below] of fields) {
    const known = joined.get(element);
    const both: Growing = known ?? new Map();
    joined.set(element, both);
    if (known && (known.size === 0) !== (below.size === 0)) both.set(SELF, new Map());
    addAll(both, below);
  }
}

/** The fields of `left` that `right` holds too, as fields or on the way to some; undefined when there are none. */
export function overlap(left: Fields, right: Fields): Fields | undefined {
  const common = new Map<PathElement, Fields>();
  for (const element of (left.size < right.size ? left : right).keys()) {
    const [below, held] = [left.get(element), right.get(element)];
    const both = below && held && (below.size === 0 ? WHOLE : overlap(below, held));
    if (both) common.set(element, both);
  }
  return common.size === 0 ? undefined : common;
}

/** Every field of the set as a path. */
export function* paths(fields: Fields, before: readonly PathElement[] = []): Generator<readonly PathElement[]> {
  for (const [element, below] of fields) {
    const path = [...before, element];
    if (below.size === 0) yield path;
    else yield* paths(below, path);
  }
}

/** What is in `left` and not in `right`; undefined when nothing is left. */
export function subtract(left: Fields, right: Fields): Fields | undefined {
  if (right.size === 0) return;
  if (left.size === 0) return left;
  const rest = new Map<PathElement, Fields>();
  for (const [element, below] of left) {
    const taken = right.get(element);
    const kept = taken ? subtract(below, taken) : below;
    if (kept) rest.set(element, kept);
  }
  return rest.size === 0 ? undefined : rest;
}

/** The set as `fieldsV1` holds it. */
export function toFieldsV1(fields: Fields): JsonObject {
  return Object.fromEntries([...fields].map(([element, below]) => [element, toFieldsV1(below)]));
}

/** The set that `fieldsV1` holds. */
export function fromFieldsV1(fields: Json | undefined): Fields {
  if (!isJsonObject(fields)) return WHOLE;
  return new Map(Object.entries(fields).map(([element, below]) => [element, fromFieldsV1(below)]));
}

function fieldsOfObject(value: JsonObject, path: readonly string[], shapes: ListShapes): Fields {
  const fields = new Map<PathElement, Fields>();
  for (const [key, child] of Object.entries(value))
    if (child !== undefined) fields.set(fieldElement(key), fieldsOf(child, [...path, key], shapes));
  return fields;
}

function fieldOf(object: JsonObject, element: PathElement): Json | undefined {
  const name = element.slice(2);
  return element.startsWith('f:') && Object.hasOwn(object, name) ? object[name] : undefined;
}

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
