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

/** The candidate that takes the fewest edits to become the key, whatever the case. */
export function nearestKey(key: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: editDistance(key, candidate) }))
    .toSorted((a, b) => a.edits - b.edits);
  return ranked[0]?.candidate;
}

/** Whether one is probably the other, misspelled. */
export function looksLike(key: string, candidate: string): boolean {
  return editDistance(key, candidate) <= Math.max(2, Math.floor(candidate.length / 3));
}

/** Keys longer than this are compared by their beginning: no one mistypes them by accident. */
const MOST_COMPARED = 64;

/** Levenshtein's distance, with a swap of neighbours counted once. */
function editDistance(left: string, right: string): number {
  const a = left.slice(0, MOST_COMPARED).toLowerCase();
  const b = right.slice(0, MOST_COMPARED).toLowerCase();
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const cost = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
      current.push(cost);
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
}
