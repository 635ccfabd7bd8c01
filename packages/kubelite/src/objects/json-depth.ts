import type { Json } from './json.ts';

/** How many levels of objects and arrays a value may have. Everything that walks an object recurses once per level. */
export const MAX_DEPTH = 256;

/** Whether a value has more levels than that. */
export function nestsTooDeeply(value: Json | undefined, levels: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => nestsTooDeeply(child, levels - 1));
}
