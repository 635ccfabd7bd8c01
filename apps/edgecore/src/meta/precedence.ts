import { type KubeObject, textOf } from './kube-object.ts';

/** What shows which of two states of an object is the newer one. */
export interface Edition {
  readonly resourceVersion?: bigint | undefined;
  readonly uid?: string | undefined;
  /** RFC 3339, as in `metadata.creationTimestamp`. */
  readonly createdAt?: string | undefined;
}

/** The edition of an object; the version in the message's header, if there is one, counts before its own. */
export function editionOf(object: KubeObject | undefined, headerVersion?: string): Edition {
  const metadata = object?.metadata;
  return {
    resourceVersion: parseResourceVersion(headerVersion) ?? parseResourceVersion(textOf(metadata, 'resourceVersion')),
    uid: textOf(metadata, 'uid'),
    createdAt: textOf(metadata, 'creationTimestamp'),
  };
}

/**
 * Whether `incoming` is older than what the node has seen, so that applying it would go back in time.
 * Of two objects that had the same name one after the other, the later created one is newer whatever the versions say:
 * a cluster that was made again counts its versions from the beginning. What cannot be compared is not older.
 */
export function isOlder(incoming: Edition, seen: Edition | undefined): boolean {
  if (seen === undefined) return false;
  if (differ(incoming.uid, seen.uid) && differ(incoming.createdAt, seen.createdAt)) {
    return instant(incoming.createdAt) < instant(seen.createdAt);
  }
  if (incoming.resourceVersion === undefined || seen.resourceVersion === undefined) return false;
  return incoming.resourceVersion < seen.resourceVersion;
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function instant(time: string | undefined): number {
  const parsed = Date.parse(time ?? '');
  return Number.isNaN(parsed) ? 0 : parsed;
}

/** SQLite's integers have 63 bits and a sign. */
const LARGEST = 2n ** 63n - 1n;

/** Reads a resource version; `undefined` for none, and for one that is not a number and so cannot be compared. */
export function parseResourceVersion(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^\d{1,19}$/.test(text)) return undefined;
  const version = BigInt(text);
  return version <= LARGEST ? version : undefined;
}
