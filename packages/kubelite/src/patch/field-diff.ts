import { isJsonArray, isJsonObject, sameJson, type Json, type JsonObject } from '../objects/json.ts';
import {
  fieldsOf,
  itemFields,
  keyedItems,
  subtract,
  WHOLE,
  type Fields,
  fieldElement,
  valueElement,
  type PathElement,
} from './fields.ts';
import type { ListShapes } from './list-shape.ts';

/** What differs between two states of an object. Undefined where nothing does. */
export interface FieldDiff {
  /** Fields that are new or have another value. */
  readonly changed: Fields | undefined;
  /** Fields that are there no more. */
  readonly removed: Fields | undefined;
}

const NOTHING: FieldDiff = { changed: undefined, removed: undefined };

/** Compares two states of a value, lists by their keys. */
export function diffFields(
  previous: Json | undefined,
  next: Json | undefined,
  path: readonly string[],
  shapes: ListShapes,
): FieldDiff {
  if (isJsonObject(previous) && isJsonObject(next)) return diffObjects(previous, next, path, shapes);
  if (isJsonArray(previous) && isJsonArray(next)) return diffLists(previous, next, path, shapes);
  return diffWhole(previous, next, path, shapes);
}

function diffWhole(
  previous: Json | undefined,
  next: Json | undefined,
  path: readonly string[],
  shapes: ListShapes,
): FieldDiff {
  if (sameJson(previous, next)) return NOTHING;
  if (next === undefined) return { changed: undefined, removed: WHOLE };
  const changed = fieldsOf(next, path, shapes);
  const before = previous === undefined ? undefined : fieldsOf(previous, path, shapes);
  return { changed, removed: before && subtract(before, changed) };
}

function diffObjects(previous: JsonObject, next: JsonObject, path: readonly string[], shapes: ListShapes): FieldDiff {
  const keys = new Set([...Object.keys(previous), ...Object.keys(next)]);
  return collect(
    [...keys].map((key) => [fieldElement(key), diffFields(previous[key], next[key], [...path, key], shapes)]),
  );
}

function diffLists(
  previous: readonly Json[],
  next: readonly Json[],
  path: readonly string[],
  shapes: ListShapes,
): FieldDiff {
  const shape = shapes(path);
  if (shape.type === 'set') return diffSets(previous, next);
  const before = shape.type === 'map' ? keyedItems(previous, shape.keys) : undefined;
  const after = shape.type === 'map' ? keyedItems(next, shape.keys) : undefined;
  if (!before || !after) return diffWhole(previous, next, path, shapes);
  const elements = new Set([...before.keys(), ...after.keys()]);
  return collect(
    [...elements].map((element) => [element, diffItems(before.get(element), after.get(element), path, shapes)]),
  );
}

function diffItems(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  path: readonly string[],
  shapes: ListShapes,
): FieldDiff {
  if (before && after) return diffFields(before, after, path, shapes);
  if (after) return { changed: itemFields(after, path, shapes), removed: undefined };
  return { changed: undefined, removed: before && itemFields(before, path, shapes) };
}

function diffSets(previous: readonly Json[], next: readonly Json[]): FieldDiff {
  const before = new Set(previous.map(valueElement));
  const after = new Set(next.map(valueElement));
  return {
    changed: leaves([...after].filter((element) => !before.has(element))),
    removed: leaves([...before].filter((element) => !after.has(element))),
  };
}

function leaves(elements: readonly PathElement[]): Fields | undefined {
  if (elements.length === 0) return;
  return new Map(elements.map((element): [PathElement, Fields] => [element, new Map()]));
}

function collect(diffs: readonly (readonly [PathElement, FieldDiff])[]): FieldDiff {
  return {
    changed: gather(diffs.map(([element, diff]) => [element, diff.changed])),
    removed: gather(diffs.map(([element, diff]) => [element, diff.removed])),
  };
}

function gather(entries: readonly (readonly [PathElement, Fields | undefined])[]): Fields | undefined {
  const found = entries.flatMap(([element, fields]): [PathElement, Fields][] => (fields ? [[element, fields]] : []));
  return found.length === 0 ? undefined : new Map(found);
}
