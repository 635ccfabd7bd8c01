import { PatchError } from '@fenestra/contracts/objects';
import { isJsonArray, isJsonObject, type Json } from '../objects/json.ts';
import { describePath, itemElement, valueElement } from './field-path.ts';
import type { ListShapes } from './list-shape.ts';

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
