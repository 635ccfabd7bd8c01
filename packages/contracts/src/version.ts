/** `v1.23.0-beta.1+build`: the letter is optional, what follows `+` has no say in the order. See https://semver.org. */
const VERSION =
  /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9a-z-]+(?:\.[0-9a-z-]+)*))?(?:\+[0-9a-z-]+(?:\.[0-9a-z-]+)*)?$/i;

/** Whether the text is a version as releases have them, with or without the leading `v`. */
export function isVersion(text: string): boolean {
  return VERSION.test(text);
}

/** The one spelling of a version that files and folders are named by: with a leading `v`. */
export function versionTag(version: string): string {
  return `v${version.replace(/^v/i, '')}`;
}

/**
 * Orders versions by age: negative if `left` is the older one, 0 if neither is. What is not a version at all is older than
 * every version.
 */
export function compareVersions(left: string, right: string): number {
  const [ours, theirs] = [VERSION.exec(left), VERSION.exec(right)];
  if (ours === null || theirs === null) return Number(ours !== null) - Number(theirs !== null);
  return compareLists(ours.slice(1, 4), theirs.slice(1, 4)) || comparePreReleases(ours[4], theirs[4]);
}

/** A release is newer than its own pre-releases. */
function comparePreReleases(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return compareLists(left.split('.'), right.split('.'));
}

/** The first difference decides; if one list is the beginning of the other, the longer one is newer. */
function compareLists(left: readonly string[], right: readonly string[]): number {
  const differences = left.slice(0, right.length).map((item, index) => compareItems(item, right[index] ?? ''));
  return differences.find((difference) => difference !== 0) ?? left.length - right.length;
}

/** Numbers by value, however long they are; words by their letters; a number before a word. */
function compareItems(left: string, right: string): number {
  const [ours, theirs] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (ours !== theirs) return ours ? -1 : 1;
  if (ours) return compareNumbers(BigInt(left), BigInt(right));
  return left === right ? 0 : left < right ? -1 : 1;
}

function compareNumbers(left: bigint, right: bigint): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
