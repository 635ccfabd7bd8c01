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

/** Keys longer than this are compared by their beginning: nobody mistypes them by accident. */
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
