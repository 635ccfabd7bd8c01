import { PatchError } from '@fenestra/contracts/objects';
import { canonicalJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';
import type { ListShapes } from './list-shape.ts';
import { describePath, itemElement, valueElement } from './fields.ts';

/** How to merge a list whose items are distinguished by a key. */
interface KeyedMerge {
  readonly key: string;
  /** `$setElementOrder`: items that hold only the key, in the order wanted. */
  readonly order: readonly Json[] | undefined;
  merge(target: JsonObject, patch: JsonObject): JsonObject;
}

/** Merges items by key: known ones merge, new ones are added at the end, `$patch: delete` removes, `$patch: replace` replaces the list. */
export function mergeKeyedList(old: readonly Json[], patch: readonly Json[], how: KeyedMerge): readonly Json[] {
  if (patch.some((item) => isJsonObject(item) && item['$patch'] === 'replace' && item[how.key] === undefined))
    return patch.filter((item) => !isJsonObject(item) || item['$patch'] === undefined);
  const result = old.length === 0 ? newItems(patch, how) : mergedItems(old, patch, how);
  if (!how.order) return result;
  const idOf = (item: Json) => canonicalJson(keyOf(item, how.key));
  return ordered(result, how.order.map(idOf), idOf);
}

/** The items of a list that is not there yet: nothing can be mixed up, so that several may have one key. */
function newItems(patch: readonly Json[], how: KeyedMerge): readonly Json[] {
  return patch.flatMap((item) => {
    const { value } = keyed(item, how.key);
    return isRemoval(item) ? [] : [how.merge({}, value)];
  });
}

/** Removals come first, wherever they stand; items of one key are merged one after the other. */
function mergedItems(old: readonly Json[], patch: readonly Json[], how: KeyedMerge): readonly Json[] {
  const [removed, merged] = [patch.filter(isRemoval), patch.filter((item) => !isRemoval(item))];
  const gone = new Set(removed.map((item) => canonicalJson(keyed(item, how.key).key)));
  const kept = old.filter((item) => !gone.has(canonicalJson(keyOf(item, how.key))));
  const list = keyedItems(kept, how.key);
  for (const item of merged) mergeItem(list, item, how);
  return list.items;
}

function isRemoval(item: Json): boolean {
  return isJsonObject(item) && item['$patch'] === 'delete';
}

/** Merges a list of plain values: adds what is new, removes what `removed` names. */
export function mergeSet(
  old: readonly Json[],
  added: readonly Json[],
  how: { readonly removed: readonly Json[]; readonly order: readonly Json[] | undefined },
): readonly Json[] {
  const removed = new Set(how.removed.map(canonicalJson));
  const result = old.filter((value) => !removed.has(canonicalJson(value)));
  const present = new Set(result.map(canonicalJson));
  for (const value of added) {
    const id = canonicalJson(value);
    if (!present.has(id)) result.push(value);
    present.add(id);
  }
  return how.order ? ordered(result, how.order.map(canonicalJson), canonicalJson) : result;
}

/** The items of a list in order, and the index of the first one of every key. */
interface KeyedItems {
  readonly items: Json[];
  readonly places: Map<string, number>;
}

function keyedItems(list: readonly Json[], key: string): KeyedItems {
  const ids = list.map((item) => canonicalJson(keyOf(item, key)));
  return { items: [...list], places: new Map(ids.map((id, index) => [id, index] as const).toReversed()) };
}

function mergeItem({ items, places }: KeyedItems, item: Json, how: KeyedMerge): void {
  const { key, value: patch } = keyed(item, how.key);
  const id = canonicalJson(key);
  const index = places.get(id) ?? items.length;
  const target = patch['$patch'] === 'replace' ? undefined : items[index];
  items[index] = how.merge(isJsonObject(target) ? target : {}, patch);
  places.set(id, index);
}

function keyed(item: Json, name: string): { readonly key: Json; readonly value: JsonObject } {
  const key = keyOf(item, name);
  if (!isJsonObject(item) || key === undefined)
    throw new PatchError(`an item of the patch has no "${name}" to identify it`, false);
  return { key, value: item };
}

/** Items named in the order come in that order; the others stay behind the item they followed. */
function ordered(list: readonly Json[], order: readonly string[], idOf: (item: Json) => string): readonly Json[] {
  const ranks = new Map(order.map((id, rank): [string, number] => [id, rank]).toReversed());
  let last = -1;
  const ranked = list.map((item, place) => {
    const rank = ranks.get(idOf(item));
    last = rank ?? last;
    return { item, place, rank: last, named: rank !== undefined };
  });
  const sorted = ranked.toSorted((a, b) => a.rank - b.rank || Number(b.named) - Number(a.named) || a.place - b.place);
  return sorted.map(({ item }) => item);
}

function keyOf(item: Json, key: string): Json | undefined {
  return isJsonObject(item) ? item[key] : undefined;
}

/** Throws `PatchError` when a list that merges has an item without its keys, or two items with the same: one would be lost. */
export function requireMergeable(value: Json, path: readonly string[], shapes: ListShapes): void {
  if (isJsonArray(value)) requireDistinct(value, path, shapes);
  else if (isJsonObject(value))
    for (const [key, child] of Object.entries(value))
      if (child !== undefined) requireMergeable(child, [...path, key], shapes);
}

function requireDistinct(list: readonly Json[], path: readonly string[], shapes: ListShapes): void {
  const shape = shapes(path);
  if (shape.type === 'atomic') return;
  const seen = new Set<string>();
  for (const item of list) {
    const element = shape.type === 'set' ? valueElement(item) : isJsonObject(item) && itemElement(item, shape.keys);
    if (!element)
      throw refused(path, `element lacks the key fields ${shape.type === 'map' ? shape.keys.join(', ') : ''}`);
    if (seen.has(element)) throw refused(path, `duplicate entries for key ${describePath([element])}`);
    seen.add(element);
    if (isJsonObject(item)) requireMergeable(item, path, shapes);
  }
}

function refused(path: readonly string[], why: string): PatchError {
  return new PatchError(`failed to create typed patch object: .${path.join('.')}: ${why}`, true);
}
