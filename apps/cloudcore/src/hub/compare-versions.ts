const DECIMAL = /^\d+$/;

/**
 * Whether Kubernetes' version `left` is newer than `right`. They are decimal numbers of any size;
 * what is not a number cannot be compared and counts as newer, so that nothing is held back for ever.
 */
export function isNewer(left: string, right: string): boolean {
  if (!DECIMAL.test(left) || !DECIMAL.test(right)) return true;
  if (left.length !== right.length) return left.length > right.length;
  return left > right;
}
