import { PatchError } from './patch-error.ts';

/** The keys of a JSON pointer. https://www.rfc-editor.org/rfc/rfc6901 */
export function parsePointer(pointer: string): readonly string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new PatchError(`"${pointer}" is not a JSON pointer`, false);
  return pointer.slice(1).split('/').map(unescape);
}

/** The index a key means in an array of this length; `-` is the end, where that is allowed. */
export function arrayIndex(key: string, length: number, allowEnd: boolean): number {
  if (key === '-' && allowEnd) return length;
  const index = /^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : Number.NaN;
  if (index < length || (allowEnd && index === length)) return index;
  throw new PatchError(`there is no item "${key}" in an array of ${length}`, true);
}

function unescape(part: string): string {
  if (/~(?![01])/.test(part)) throw new PatchError(`"${part}" is not part of a JSON pointer`, false);
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
