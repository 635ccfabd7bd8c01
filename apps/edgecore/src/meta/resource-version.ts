/** SQLite's integers have 63 bits and a sign. */
const LARGEST = 2n ** 63n - 1n;

/** Reads a resource version; `undefined` for none, and for one that is no number and so cannot be compared. */
export function parseResourceVersion(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^\d{1,19}$/.test(text)) return undefined;
  const version = BigInt(text);
  return version <= LARGEST ? version : undefined;
}
