import { isJsonArray, isJsonObject, type Json } from '@fenestra/kernel';

/** A patch that cannot be applied. `wellFormed` is false when the patch itself makes no sense (400 rather than 422). */
export class PatchError extends Error {
  override readonly name = 'PatchError';
  readonly wellFormed: boolean;

  constructor(message: string, wellFormed: boolean) {
    super(message);
    this.wellFormed = wellFormed;
  }
}

/** Limits the work of one patch: a small patch can name the same large part of an object again and again. */
export interface WorkBudget {
  /** Throws `PatchError` when the patch has used up its budget. */
  spend(steps: number): void;
}

/** A budget of so many steps, where a step is one field or item visited or moved. */
export function workBudget(steps: number): WorkBudget {
  let left = steps;
  return {
    spend(used) {
      left -= used;
      if (left < 0) throw new PatchError('the patch takes too many steps to apply: split it into smaller ones', true);
    },
  };
}

/** A value that is being changed in place: objects are maps, so that `__proto__` stays an ordinary key. */
export type Working = null | boolean | number | string | Working[] | Map<string, Working>;

/** How many levels of objects and arrays a value may have. Everything that walks an object recurses once per level. */
export const MAX_DEPTH = 256;

/** A copy of a value to be changed. */
export function toWorking(value: Json): Working {
  if (isJsonArray(value)) return value.map(toWorking);
  if (!isJsonObject(value)) return value;
  const fields = new Map<string, Working>();
  for (const [key, child] of Object.entries(value)) if (child !== undefined) fields.set(key, toWorking(child));
  return fields;
}

/** The changed value as JSON. Throws `PatchError` when it nests too deeply. */
export function fromWorking(value: Working, levels: number = MAX_DEPTH): Json {
  if (typeof value !== 'object' || value === null) return value;
  requireLevels(levels);
  if (Array.isArray(value)) return value.map((item) => fromWorking(item, levels - 1));
  return Object.fromEntries([...value].map(([key, child]) => [key, fromWorking(child, levels - 1)]));
}

/** Copies values up to a number of bytes in all. Throws `PatchError` beyond it, before more is copied. */
export function boundedCopier(maxBytes: number): (value: Working) => Working {
  let left = maxBytes;
  const take = (bytes: number) => {
    left -= bytes;
    if (left < 0) throw new PatchError(`the copy operations of a patch may add at most ${maxBytes} bytes`, true);
  };
  const copy = (value: Working, levels: number): Working => {
    take(typeof value === 'string' ? value.length + 2 : 2);
    if (typeof value !== 'object' || value === null) return value;
    requireLevels(levels);
    if (Array.isArray(value)) return value.map((item) => copy(item, levels - 1));
    const fields = new Map<string, Working>();
    for (const [key, child] of value) {
      take(key.length + 2);
      fields.set(key, copy(child, levels - 1));
    }
    return fields;
  };
  return (value) => copy(value, MAX_DEPTH);
}

/** Whether the value is this JSON. Throws `PatchError` when the budget does not cover every value compared. */
export function sameWorking(value: Working, json: Json | undefined, budget: WorkBudget): boolean {
  budget.spend(1);
  if (Array.isArray(value))
    return (
      isJsonArray(json) &&
      value.length === json.length &&
      value.every((item, index) => sameWorking(item, json[index], budget))
    );
  if (!(value instanceof Map)) return value === json;
  if (!isJsonObject(json)) return false;
  const keys = Object.keys(json);
  return (
    keys.length === value.size &&
    keys.every((key) => value.has(key) && sameWorking(value.get(key) ?? null, json[key], budget))
  );
}

function requireLevels(levels: number): void {
  if (levels === 0) throw new PatchError(`the patched object has more than ${MAX_DEPTH} levels`, true);
}
