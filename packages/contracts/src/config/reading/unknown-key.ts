import { looksLike, nearestKey } from './nearest-key.ts';
import { fieldPaths } from './schema-shape.ts';

/** What to say of a key that is not among its siblings: the one that was meant, or where it belongs in the whole file. */
export function unknownKey(key: string, siblings: readonly string[], schema: unknown): string {
  const paths = fieldPaths(schema);
  const nearest = nearestKey(key, siblings);
  if (nearest !== undefined && looksLike(key, nearest)) return `unknown key; did you mean "${nearest}"?`;
  const elsewhere = paths.find((path) => nameOf(path).toLowerCase() === key.toLowerCase());
  if (elsewhere !== undefined) return `unknown key here; there is "${elsewhere}"`;
  return nearest === undefined ? 'unknown key' : `unknown key; the nearest known one is "${nearest}"`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
