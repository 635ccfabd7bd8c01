import { isMapping } from '@fenestra/contracts/reading';

/** The value without what is at the path. A list keeps a mapping's place with an empty one, so that paths stay true. */
export function withoutPart(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined) return undefined;
  if (Array.isArray(value))
    return value.flatMap((part: unknown, index) => (index === key ? remains(part, rest) : [part]));
  if (!isMapping(value)) return undefined;
  const parts = Object.entries(value).map(
    ([name, part]) => [name, name === key ? withoutPart(part, rest) : part] as const,
  );
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}

function remains(part: unknown, rest: readonly PropertyKey[]): readonly unknown[] {
  if (rest.length > 0) return [withoutPart(part, rest)];
  return isMapping(part) || part === undefined ? [{}] : [];
}
