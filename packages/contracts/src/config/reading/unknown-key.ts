import { looksLike, nearestKey } from './nearest-key.ts';
import { fieldPaths, parentPath } from './schema-shape.ts';

/** Where a key stands that is not known there. */
interface KeyPlace {
  readonly siblings: readonly string[];
  /** What the key is in; empty for the file itself. */
  readonly path: string;
  /** The whole file's schema. */
  readonly schema: unknown;
}

/**
 * What to say of a key that is not among its siblings: the one that was meant, or where it belongs further up or down. A
 * key of the same name in another part of the file is about something else.
 */
export function unknownKey(key: string, { siblings, path, schema }: KeyPlace): string {
  const nearest = nearestKey(key, siblings);
  if (nearest !== undefined && looksLike(key, nearest)) return `unknown key; did you mean "${nearest}"?`;
  const elsewhere = fieldPaths(schema).find(
    (field) => nameOf(field).toLowerCase() === key.toLowerCase() && isAboveOrBelow(parentPath(field), path),
  );
  if (elsewhere !== undefined) return `unknown key here; there is "${elsewhere}"`;
  return nearest === undefined ? 'unknown key' : `unknown key; the nearest known one is "${nearest}"`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function isAboveOrBelow(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

function isWithin(path: string, outer: string): boolean {
  return outer === '' || path === outer || (path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length)));
}
