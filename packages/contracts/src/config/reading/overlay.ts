/** A plain mapping. */
export type Mapping = Readonly<Record<string, unknown>>;

/** Whether a value is a plain mapping and no list. */
export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lays what a file says over the defaults, as upstream does: mappings are merged, all else is replaced. */
export function overlay(defaults: unknown, given: unknown): unknown {
  if (!isMapping(defaults) || !isMapping(given)) return given ?? defaults;
  const keys = new Set([...Object.keys(defaults), ...Object.keys(given)]);
  return Object.fromEntries([...keys].map((key) => [key, overlay(own(defaults, key), own(given, key))]));
}

/** The value without what is at the path; a list is taken out as a whole. */
export function without(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined || !isMapping(value)) return undefined;
  const parts = Object.entries(value).map(([name, part]) => [name, name === key ? without(part, rest) : part] as const);
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined));
}

function own(mapping: Mapping, key: string): unknown {
  return Object.hasOwn(mapping, key) ? mapping[key] : undefined;
}
