import { isMapping, type Mapping } from '@fenestra/contracts/reading';

/** A path of keys into a configuration. */
export type Path = readonly [string, ...string[]];

/** What is at a path; `undefined` if nothing is. */
export function valueIn(config: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, key) => (isMapping(part) && Object.hasOwn(part, key) ? part[key] : undefined),
    config,
  );
}

/** The configuration with a value at a path. */
export function withValue(config: unknown, [key, ...rest]: Path, value: unknown): Mapping {
  const mapping = isMapping(config) ? config : {};
  const [next, ...others] = rest;
  const part = next === undefined ? value : withValue(valueIn(mapping, [key]), [next, ...others], value);
  return { ...mapping, [key]: part };
}
