import { isJsonArray, isJsonObject, sameJson, type Json, type JsonObject } from '../objects/json.ts';
import { valueAtPath, describePath, removeAtPath, type PathElement } from './field-path.ts';
import { fieldsOf, holds, keyedItems, paths, SELF, subtract, type Fields } from './fields.ts';
import type { ListShapes } from './list-shape.ts';
import { entryOf, isSame, ownable, ownersOf, takeFrom, type FieldManager, type Ownership } from './managed-fields.ts';
import { objectFrom } from './merge-patch.ts';

/** A field that somebody else owns with another value. */
export interface FieldConflict {
  readonly field: string;
  readonly manager: string;
}

/** What an apply makes of an object, or the conflicts that stand against it. */
export type ApplyResult =
  | { readonly conflicts: readonly FieldConflict[] }
  | { readonly object: JsonObject; readonly owners: readonly Ownership[]; readonly conflicts: readonly [] };

/**
 * Server-side apply: `live` with every field of `applied`, without the fields this manager applied before and no longer does,
 * unless somebody else owns them too. Taking a field from another manager is a conflict unless forced.
 */
export function applyConfiguration(
  live: JsonObject,
  applied: JsonObject,
  who: FieldManager,
  options: { readonly force: boolean; readonly shapes: ListShapes },
): ApplyResult {
  const wish = ownable(applied);
  const wanted = fieldsOf(wish, [], options.shapes);
  const owners = ownersOf(live);
  const others = owners.filter((owner) => !isSame(owner.entry, who));
  const contested = findContested(live, wish, wanted, others);
  if (contested.length > 0 && !options.force) return { conflicts: contested.map(describe) };
  const yielded = others.flatMap((owner) =>
    takeFrom(owner, fieldsFrom(contested.filter((one) => one.owner === owner))),
  );
  const mine = owners.find((owner) => isSame(owner.entry, who));
  const dropped = wanted.size === 0 ? mine?.fields : mine && subtract(mine.fields, wanted);
  const merged = merge(live, wish, [], options.shapes);
  const applying = wanted.size === 0 ? [] : [{ entry: entryOf(who), fields: wanted }];
  return {
    object: withoutDropped(merged, dropped, wanted, yielded),
    owners: [...yielded, ...applying],
    conflicts: [],
  };
}

interface Contested {
  readonly path: readonly PathElement[];
  readonly owner: Ownership;
}

function findContested(live: JsonObject, wish: JsonObject, wanted: Fields, others: readonly Ownership[]): Contested[] {
  const found: Contested[] = [];
  for (const path of paths(wanted)) {
    const now = valueAtPath(live, path);
    if (now === undefined || path.at(-1) === SELF || sameJson(now, valueAtPath(wish, path))) continue;
    for (const owner of others) if (holds(owner.fields, path)) found.push({ path, owner });
  }
  return found;
}

function describe({ path, owner }: Contested): FieldConflict {
  return { field: describePath(path), manager: owner.entry.manager };
}

function fieldsFrom(contested: readonly Contested[]): Fields | undefined {
  if (contested.length === 0) return;
  const root = new Map<PathElement, Fields>();
  for (const { path } of contested) plant(root, path);
  return root;
}

type Growing = Map<PathElement, Fields>;

function plant(node: Growing, path: readonly PathElement[]): void {
  const [element, ...rest] = path;
  if (element === undefined) return;
  const below: Growing = new Map(node.get(element));
  plant(below, rest);
  node.set(element, below);
}

/** Items go only when nobody owns anything below them any more. */
function withoutDropped(
  merged: JsonObject,
  dropped: Fields | undefined,
  wanted: Fields,
  others: readonly Ownership[],
): JsonObject {
  let result: Json | undefined = merged;
  for (const path of dropped ? paths(dropped) : []) {
    const target = path.at(-1) === SELF ? path.slice(0, -1) : path;
    if (isKey(target) || holds(wanted, target) || others.some((owner) => holds(owner.fields, target))) continue;
    result = removeAtPath(result, target);
  }
  return isJsonObject(result) ? result : {};
}

/** What tells an item apart from others stays as long as the item does. */
function isKey(path: readonly PathElement[]): boolean {
  const item = path.at(-2) ?? '';
  return item.startsWith('k:') && item.includes(`${JSON.stringify(path.at(-1)?.slice(2))}:`);
}

function merge(live: JsonObject, wish: JsonObject, path: readonly string[], shapes: ListShapes): JsonObject {
  const merged = new Map(Object.entries(live));
  for (const [key, value] of Object.entries(wish))
    if (value !== undefined) merged.set(key, mergeValue(live[key], value, [...path, key], shapes));
  return objectFrom(merged);
}

function mergeValue(live: Json | undefined, wish: Json, path: readonly string[], shapes: ListShapes): Json {
  if (isJsonObject(live) && isJsonObject(wish)) return merge(live, wish, path, shapes);
  if (isJsonArray(live) && isJsonArray(wish)) return mergeLists(live, wish, path, shapes);
  return wish;
}

function mergeLists(live: readonly Json[], wish: readonly Json[], path: readonly string[], shapes: ListShapes): Json {
  const shape = shapes(path);
  if (shape.type === 'set') return [...live, ...wish.filter((value) => !live.some((item) => sameJson(item, value)))];
  const before = shape.type === 'map' ? keyedItems(live, shape.keys) : undefined;
  const after = shape.type === 'map' ? keyedItems(wish, shape.keys) : undefined;
  if (!before || !after) return wish;
  const merged = new Map(before);
  for (const [element, item] of after) merged.set(element, merge(before.get(element) ?? {}, item, path, shapes));
  return [...merged.values()];
}
