import { looksLike, nearestKey } from './nearest-key.ts';
import { fieldPaths, parentPath } from './schema-shape.ts';

/** What to say of a key that is not known at this place: the one that was meant, or where it belongs. */
export function unknownKey(key: string, parent: string, schema: unknown): string {
  const paths = fieldPaths(schema);
  const siblings = paths.filter((path) => parentPath(path) === parent).map(nameOf);
  const nearest = nearestKey(key, siblings);
  if (nearest !== undefined && looksLike(key, nearest)) return `unknown key; did you mean "${nearest}"?`;
  const elsewhere = paths.find((path) => nameOf(path).toLowerCase() === key.toLowerCase());
  if (elsewhere !== undefined) return `unknown key here; there is "${elsewhere}"`;
  return nearest === undefined ? 'unknown key' : `unknown key; the nearest known one is "${nearest}"`;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
