import { canonicalJson, isJsonArray, isJsonObject, sameJson, type Json, type JsonObject } from '../objects/json.ts';
import { removeFields } from './remove-fields.ts';
import {
  childLookup,
  fieldsOf,
  keyedItems,
  overlap,
  pathBelow,
  paths,
  unionOf,
  WHOLE,
  type Fields,
  describePath,
  itemElement,
  type PathElement,
} from './fields.ts';
import type { ListShapes } from './list-shape.ts';
import { entryOf, isSame, ownable, ownersOf, takeFrom, type FieldManager, type Ownership } from './managed-fields.ts';
import { requireMergeable } from './strategic-lists.ts';

/** Beyond this many, conflicts are not listed. */
const MAX_CONFLICTS = 100;
const BEFORE_FIRST_APPLY = 'before-first-apply';

/** A field that someone else owns with another value. */
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
 * unless someone else owns them too. Taking a field from another manager is a conflict unless forced.
 */
export function applyConfiguration(
  live: JsonObject,
  applied: JsonObject,
  who: FieldManager,
  options: { readonly force: boolean; readonly shapes: ListShapes },
): ApplyResult {
  const wish = ownable(applied);
  requireMergeable(wish, [], options.shapes);
  const wanted = fieldsOf(wish, [], options.shapes);
  const owners = knownOwners(live, who, options.shapes);
  const others = owners.filter((owner) => !isSame(owner.entry, who));
  const changed = changedFields(live, wish, wanted, [], options.shapes);
  const contested = new Map(others.map((owner) => [owner, changed && overlap(changed, owner.fields)]));
  const conflicts = options.force ? [] : conflictsIn(contested);
  if (conflicts.length > 0) return { conflicts };
  const yielded = others.flatMap((owner) => takeFrom(owner, contested.get(owner)));
  const mine = owners.find((owner) => isSame(owner.entry, who));
  const merged = merge(live, wish, [], options.shapes);
  const kept = unionOf([wanted, ...yielded.map(({ fields }) => fields)]);
  const applying = wanted.size === 0 ? [] : [{ entry: entryOf(who), fields: wanted }];
  return {
    object: mine ? removeFields(merged, mine.fields, kept, options.shapes) : merged,
    owners: [...yielded, ...applying],
    conflicts: [],
  };
}

/** An object that no manager is recorded for belongs to its earlier writers, so that their fields conflict and stay. */
function knownOwners(live: JsonObject, who: FieldManager, shapes: ListShapes): readonly Ownership[] {
  const owners = ownersOf(live);
  const fields = fieldsOf(ownable(live), [], shapes);
  if (owners.length > 0 || fields.size === 0) return owners;
  return [{ entry: entryOf({ ...who, manager: BEFORE_FIRST_APPLY, operation: 'Update', subresource: '' }), fields }];
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
  for (const [element, fields] of wanted) {
    const now = liveChild(element);
    if (now === undefined) continue;
    const next = wishChild(element);
    const below = pathBelow(path, element);
    const field = merges(now, next, below, shapes)
      ? changedFields(now, next, fields, below, shapes)
      : sameJson(now, next)
        ? undefined
        : WHOLE;
    if (field) changed.set(element, field);
  }
  return changed.size === 0 ? undefined : changed;
}

/** Whether the entries of both values merge, so that each has owners; otherwise one value replaces the other. Null is empty. */
function merges(now: Json, next: Json | undefined, path: readonly string[], shapes: ListShapes): boolean {
  const some = now ?? next;
  if (isJsonArray(some)) return (isJsonArray(next) || next === null) && shapes(path).type !== 'atomic';
  return isJsonObject(some) && (isJsonObject(next) || next === null);
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
  return Object.fromEntries(merged);
}

function mergeValue(live: Json | undefined, wish: Json, path: readonly string[], shapes: ListShapes): Json {
  if (live === undefined || !merges(live, wish, path, shapes)) return wish;
  if (isJsonObject(live) && isJsonObject(wish)) return merge(live, wish, path, shapes);
  if (isJsonArray(live) && isJsonArray(wish)) return mergeLists(live, wish, path, shapes);
  return wish ?? live;
}

function mergeLists(live: readonly Json[], wish: readonly Json[], path: readonly string[], shapes: ListShapes): Json {
  const shape = shapes(path);
  if (shape.type === 'set') return mergeSets(live, wish);
  const items = shape.type === 'map' ? keyedItems(wish, shape.keys) : undefined;
  return shape.type === 'map' && items ? mergeItems(live, items, { path, keys: shape.keys, shapes }) : wish;
}

/** What is there stays in its place; of several items with one key, the first takes up what is applied. */
function mergeItems(
  live: readonly Json[],
  wish: ReadonlyMap<PathElement, JsonObject>,
  { path, keys, shapes }: { path: readonly string[]; keys: readonly string[]; shapes: ListShapes },
): Json {
  const waiting = new Map(wish);
  const merged = live.flatMap((item) => {
    const element = isJsonObject(item) ? itemElement(item, keys) : undefined;
    const wanted = element === undefined ? undefined : wish.get(element);
    if (element === undefined || wanted === undefined || !isJsonObject(item)) return [item];
    return waiting.delete(element) ? [merge(item, wanted, path, shapes)] : [];
  });
  const added = [...waiting.values()].map((item) => merge({}, item, path, shapes));
  return [...merged, ...added];
}

function mergeSets(live: readonly Json[], wish: readonly Json[]): Json {
  const present = new Set(live.map(canonicalJson));
  return [...live, ...wish.filter((value) => !present.has(canonicalJson(value)))];
}
