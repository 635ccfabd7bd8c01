import { PatchError, workBudget, type WorkBudget } from '@fenestra/contracts/objects';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';
import type { ListShapes } from './list-shape.ts';
import { mergeKeyedList, mergeSet } from './strategic-lists.ts';

const DELETE_FROM = '$deleteFromPrimitiveList/';
const ELEMENT_ORDER = '$setElementOrder/';
const RETAIN_KEYS = '$retainKeys';
const DIRECTIVE = '$patch';
/** More fields than any object has: only a patch that names an item many times gets there. */
const MAX_STEPS = 5_000_000;

/** What a patch is merged with. */
interface Merging {
  readonly shapes: ListShapes;
  readonly budget: WorkBudget;
}

/** Applies a strategic merge patch: as a merge patch, but lists merge by their keys, and `$` directives say the rest. */
export function applyStrategicMergePatch(target: JsonObject, patch: JsonObject, shapes: ListShapes): JsonObject {
  return mergeObject(target, patch, [], { shapes, budget: workBudget(MAX_STEPS) });
}

function mergeObject(target: JsonObject, patch: JsonObject, path: readonly string[], merging: Merging): JsonObject {
  const directive = patch[DIRECTIVE];
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge')
    throw new PatchError(`unknown $patch directive ${JSON.stringify(directive)}`, false);
  const merged = new Map(Object.entries(retained(target, patch)));
  merging.budget.spend(merged.size + 1);
  const fields = new Set(Object.keys(patch).map(fieldOf));
  for (const field of fields) {
    const value = mergeField(merged.get(field), patch, field, [...path, field], merging);
    if (value === undefined) merged.delete(field);
    else merged.set(field, value);
  }
  return Object.fromEntries(merged);
}

/** The new value of one field; undefined removes it. */
function mergeField(
  old: Json | undefined,
  patch: JsonObject,
  field: string,
  path: readonly string[],
  merging: Merging,
): Json | undefined {
  if (field.startsWith('$')) return;
  const value = patch[field];
  if (value === null) return;
  const order = patch[ELEMENT_ORDER + field];
  const removed = patch[DELETE_FROM + field];
  if (isJsonArray(value) || isJsonArray(order) || isJsonArray(removed))
    return mergeList(isJsonArray(old) ? old : undefined, { value, order, removed }, path, merging);
  if (!isJsonObject(value)) return value;
  return mergeObject(isJsonObject(old) ? old : {}, value, path, merging);
}

interface ListPatch {
  readonly value: Json | undefined;
  readonly order: Json | undefined;
  readonly removed: Json | undefined;
}

function mergeList(
  old: readonly Json[] | undefined,
  patch: ListPatch,
  path: readonly string[],
  merging: Merging,
): Json | undefined {
  const items = isJsonArray(patch.value) ? patch.value : [];
  const order = isJsonArray(patch.order) ? patch.order : undefined;
  const shape = merging.shapes(path);
  merging.budget.spend((old?.length ?? 0) + (order?.length ?? 0) + 1);
  if (shape.type === 'map') {
    const merge = (target: JsonObject, item: JsonObject) => mergeObject(target, item, path, merging);
    return mergeKeyedList(old ?? [], items, { key: shape.mergeKey, order, merge });
  }
  if (shape.type === 'set' || patch.removed !== undefined)
    return mergeSet(old ?? [], items, { removed: isJsonArray(patch.removed) ? patch.removed : [], order });
  return isJsonArray(patch.value) ? patch.value.map(cleaned) : old;
}

function retained(target: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch[RETAIN_KEYS];
  if (!isJsonArray(keys)) return target;
  const kept = new Set(keys);
  return Object.fromEntries(Object.entries(target).filter(([key]) => kept.has(key)));
}

function fieldOf(key: string): string {
  if (key.startsWith(DELETE_FROM)) return key.slice(DELETE_FROM.length);
  return key.startsWith(ELEMENT_ORDER) ? key.slice(ELEMENT_ORDER.length) : key;
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(patch).flatMap(([key, value]) =>
      key.startsWith('$') || value === null ? [] : [[key, cleanedField(value)]],
    ),
  );
}

function cleanedField(value: Json | undefined): Json | undefined {
  return value === undefined ? undefined : cleaned(value);
}

function cleaned(value: Json): Json {
  if (isJsonArray(value)) return value.map(cleaned);
  return isJsonObject(value) ? withoutDirectives(value) : value;
}
