import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';
import { childLookup, type Fields, pathBelow, SELF, fieldElement, type PathElement } from './fields.ts';
import type { ListShapes } from './list-shape.ts';

/** A copy without the fields in `dropped`, unless `kept` holds them, and without the objects and lists that this left empty. */
export function removeFields(object: JsonObject, dropped: Fields, kept: Fields, shapes: ListShapes): JsonObject {
  const result = without(object, { dropped, kept, path: [], element: '' }, shapes);
  return isJsonObject(result) ? result : {};
}

/** What is dropped and kept below one value. */
interface Place {
  readonly dropped: Fields;
  readonly kept: Fields | undefined;
  readonly path: readonly string[];
  /** What leads to the value. */
  readonly element: PathElement;
}

function without(value: Json, place: Place, shapes: ListShapes): Json {
  const childOf = childLookup(value, place.path, shapes);
  const keys = keyFields(place.element);
  const changes = new Map<PathElement | Json, Json | undefined>();
  for (const [element, below] of place.dropped) {
    const child = childOf(element);
    if (child === undefined || keys.has(element)) continue;
    const path = pathBelow(place.path, element);
    const left = leftOf(child, { dropped: below, kept: place.kept?.get(element), path, element }, shapes);
    // Items of a list are found by identity: their place changes as others go.
    if (left !== child) changes.set(isJsonArray(value) ? child : element.slice(2), left);
  }
  return changes.size === 0 ? value : changed(value, changes);
}

/** What remains of a child; items go only when no one owns anything below them. */
function leftOf(child: Json, place: Place, shapes: ListShapes): Json | undefined {
  const whole = place.dropped.size === 0 || place.dropped.has(SELF);
  if (whole && place.kept === undefined) return undefined;
  const left = without(child, place, shapes);
  return left !== child && isEmpty(left) && !isMember(place.kept) ? undefined : left;
}

/** Whether the field itself is kept, not only some below it. */
function isMember(kept: Fields | undefined): boolean {
  return kept !== undefined && (kept.size === 0 || kept.has(SELF));
}

/** The fields that tell an item apart from others stay as long as the item does. */
function keyFields(item: PathElement): ReadonlySet<PathElement> {
  const keys: Json = item.startsWith('k:') ? JSON.parse(item.slice(2)) : {};
  return new Set(Object.keys(keys ?? {}).map(fieldElement));
}

function changed(value: Json, changes: ReadonlyMap<PathElement | Json, Json | undefined>): Json {
  const replaced = (key: PathElement | Json, old: Json) => (changes.has(key) ? changes.get(key) : old);
  if (isJsonArray(value)) return value.map((item) => replaced(item, item)).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([key, old]): [string, Json | undefined] => [
    key,
    old === undefined ? old : replaced(key, old),
  ]);
  return Object.fromEntries(fields.filter(([, left]) => left !== undefined));
}

function isEmpty(value: Json): boolean {
  return isJsonObject(value) ? Object.keys(value).length === 0 : isJsonArray(value) && value.length === 0;
}
