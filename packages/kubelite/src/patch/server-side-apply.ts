import { canonicalJson, isJsonArray, isJsonObject, sameJson, type Json, type JsonObject } from '../objects/json.ts';
import { describePath, type PathElement } from './field-path.ts';
import {
  childLookup,
  fieldsOf,
  keyedItems,
  overlap,
  pathBelow,
  paths,
  subtract,
  unionOf,
  type Fields,
} from './fields.ts';
import type { ListShapes } from './list-shape.ts';
import { entryOf, isSame, ownable, ownersOf, takeFrom, type FieldManager, type Ownership } from './managed-fields.ts';
import { objectFrom } from './merge-patch.ts';
import { removeFields } from './remove-fields.ts';

/** Beyond this many, conflicts are not listed. */
const MAX_CONFLICTS = 100;

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
  const changed = changedFields(live, wish, wanted, [], options.shapes);
  const contested = new Map(others.map((owner) => [owner, changed && overlap(changed, owner.fields)]));
  const conflicts = options.force ? [] : conflictsIn(contested);
  if (conflicts.length > 0) return { conflicts };
  const yielded = others.flatMap((owner) => takeFrom(owner, contested.get(owner)));
  const mine = owners.find((owner) => isSame(owner.entry, who));
  const dropped = wanted.size === 0 ? mine?.fields : mine && subtract(mine.fields, wanted);
  const merged = merge(live, wish, [], options.shapes);
  const kept = unionOf([wanted, ...yielded.map(({ fields }) => fields)]);
  const applying = wanted.size === 0 ? [] : [{ entry: entryOf(who), fields: wanted }];
  return {
    object: dropped ? removeFields(merged, dropped, kept, options.shapes) : merged,
    owners: [...yielded, ...applying],
    conflicts: [],
  };
}

/** The wanted fields that are there already with another value. */
function changedFields(
  live: Json | undefined,
  wish: Json | undefined,
  wanted: Fields,
  path: readonly string[],
  shapes: ListShapes,
): Fields | undefined {
  const [liveChild, wishChild] = [childLookup(live, path, shapes), childLookup(wish, path, shapes)];
  const changed = new Map<PathElement, Fields>();
  for (const [element, below] of wanted) {
    const now = liveChild(element);
    if (now === undefined) continue;
    const next = wishChild(element);
    const field =
      below.size > 0
        ? changedFields(now, next, below, pathBelow(path, element), shapes)
        : sameJson(now, next)
          ? undefined
          : below;
    if (field) changed.set(element, field);
  }
  return changed.size === 0 ? undefined : changed;
}

function conflictsIn(contested: ReadonlyMap<Ownership, Fields | undefined>): readonly FieldConflict[] {
  const found: FieldConflict[] = [];
  for (const [{ entry }, fields] of contested) {
    for (const path of fields ? paths(fields) : []) {
      if (found.length === MAX_CONFLICTS) return found;
      found.push({ field: describePath(path), manager: entry.manager });
    }
  }
  return found;
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
  if (shape.type === 'set') return mergeSets(live, wish);
  const before = shape.type === 'map' ? keyedItems(live, shape.keys) : undefined;
  const after = shape.type === 'map' ? keyedItems(wish, shape.keys) : undefined;
  if (!before || !after) return wish;
  const merged = new Map(before);
  for (const [element, item] of after) merged.set(element, merge(before.get(element) ?? {}, item, path, shapes));
  return [...merged.values()];
}

function mergeSets(live: readonly Json[], wish: readonly Json[]): Json {
  const present = new Set(live.map(canonicalJson));
  return [...live, ...wish.filter((value) => !present.has(canonicalJson(value)))];
}
