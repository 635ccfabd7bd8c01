/** A part of the library that it does not show; undefined if there is none of that name. */
export function member(owner: unknown, name: string): unknown {
  return typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined;
}
