import { isJsonObject, sameJson, type Json, type JsonObject } from '../objects/json.ts';
import { PatchError } from './patch-error.ts';

/** How to merge a list whose items are told apart by a key. */
export interface KeyedMerge {
  readonly key: string;
  /** `$setElementOrder`: items that hold only the key, in the order wanted. */
  readonly order: readonly Json[] | undefined;
  merge(target: JsonObject, patch: JsonObject): JsonObject;
}

/** Merges items by key: known ones merge, new ones are added at the end, `$patch: delete` removes, `$patch: replace` replaces the list. */
export function mergeKeyedList(old: readonly Json[], patch: readonly Json[], how: KeyedMerge): readonly Json[] {
  if (patch.some((item) => isJsonObject(item) && item['$patch'] === 'replace' && item[how.key] === undefined))
    return patch.filter((item) => !isJsonObject(item) || item['$patch'] === undefined);
  requireDistinct(patch, how.key);
  let result = [...old];
  for (const item of patch) result = mergeItem(result, item, how);
  return how.order
    ? ordered(
        result,
        how.order.map((item) => keyOf(item, how.key)),
        (item) => keyOf(item, how.key),
      )
    : result;
}

/** Merges a list of plain values: adds what is new, removes what `removed` names. */
export function mergeSet(
  old: readonly Json[],
  added: readonly Json[],
  how: { readonly removed: readonly Json[]; readonly order: readonly Json[] | undefined },
): readonly Json[] {
  const stays = old.filter((value) => !holds(how.removed, value));
  const result = [...stays];
  for (const value of added) if (!holds(result, value)) result.push(value);
  return how.order ? ordered(result, how.order, (item) => item) : result;
}

function holds(list: readonly Json[], value: Json): boolean {
  return list.some((item) => sameJson(item, value));
}

/** Two items of one key would be merged into one. */
function requireDistinct(patch: readonly Json[], key: string): void {
  const keys = patch
    .filter((item) => !isJsonObject(item) || item['$patch'] !== 'delete')
    .map((item) => keyOf(item, key));
  if (new Set(keys).size === keys.length) return;
  throw new PatchError(`the patch has two items with the same "${key}": replace the list by a JSON patch`, false);
}

function mergeItem(list: Json[], patch: Json, how: KeyedMerge): Json[] {
  const key = keyOf(patch, how.key);
  if (!isJsonObject(patch) || key === undefined)
    throw new PatchError(`an item of the patch has no "${how.key}" to be told apart by`, false);
  const index = list.findIndex((item) => sameJson(keyOf(item, how.key), key));
  const directive = patch['$patch'];
  if (directive === 'delete') return index < 0 ? list : list.toSpliced(index, 1);
  const merged = how.merge(index < 0 || directive === 'replace' ? {} : asObject(list[index]), patch);
  return index < 0 ? [...list, merged] : list.with(index, merged);
}

/** Items named in the order come in that order; the others stay behind the item they followed. */
function ordered(
  list: readonly Json[],
  order: readonly (Json | undefined)[],
  idOf: (item: Json) => Json | undefined,
): readonly Json[] {
  const rankOf = (item: Json) => order.findIndex((wanted) => sameJson(wanted, idOf(item)));
  let last = -1;
  const ranked = list.map((item, place) => {
    const rank = rankOf(item);
    if (rank >= 0) last = rank;
    return { item, place, rank: rank >= 0 ? rank : last, named: rank >= 0 };
  });
  const sorted = ranked.toSorted((a, b) => a.rank - b.rank || Number(b.named) - Number(a.named) || a.place - b.place);
  return sorted.map(({ item }) => item);
}

function keyOf(item: Json, key: string): Json | undefined {
  return isJsonObject(item) ? item[key] : undefined;
}

function asObject(item: Json | undefined): JsonObject {
  return isJsonObject(item) ? item : {};
}
