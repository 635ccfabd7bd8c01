import { isJsonArray, isJsonObject, sameJson, type Json } from '../objects/json.ts';
import { arrayIndex, parsePointer } from './json-pointer.ts';
import { objectFrom } from './merge-patch.ts';
import { PatchError } from './patch-error.ts';

const MAX_OPERATIONS = 10_000;

/** Applies a JSON patch. Throws `PatchError` and changes nothing when any operation fails. https://www.rfc-editor.org/rfc/rfc6902 */
export function applyJsonPatch(target: Json, patch: Json): Json {
  if (!isJsonArray(patch)) throw new PatchError('a JSON patch is an array of operations', false);
  if (patch.length > MAX_OPERATIONS)
    throw new PatchError(`a JSON patch has at most ${MAX_OPERATIONS} operations`, false);
  let result = target;
  for (const operation of patch) result = applyOperation(result, operation);
  return result;
}

function applyOperation(target: Json, operation: Json): Json {
  const name = textField(operation, 'op');
  const path = parsePointer(textField(operation, 'path'));
  switch (name) {
    case 'add':
      return add(target, path, valueField(operation));
    case 'remove':
      return remove(target, path);
    case 'replace':
      return replace(target, path, valueField(operation));
    case 'move':
      return move(target, parsePointer(textField(operation, 'from')), path);
    case 'copy':
      return add(target, path, read(target, parsePointer(textField(operation, 'from'))));
    case 'test':
      if (sameJson(read(target, path), valueField(operation))) return target;
      throw new PatchError(`testing path /${path.join('/')} failed`, true);
    default:
      throw new PatchError(`unknown operation "${name}"`, false);
  }
}

function add(target: Json, path: readonly string[], value: Json): Json {
  return at(target, path, value, (parent, key) => {
    if (!isJsonArray(parent)) return objectFrom([...Object.entries(parent), [key, value]]);
    return parent.toSpliced(arrayIndex(key, parent.length, true), 0, value);
  });
}

function remove(target: Json, path: readonly string[]): Json {
  read(target, path);
  return at(target, path, null, (parent, key) => {
    if (isJsonArray(parent)) return parent.toSpliced(arrayIndex(key, parent.length, false), 1);
    return objectFrom(Object.entries(parent).filter(([name]) => name !== key));
  });
}

function replace(target: Json, path: readonly string[], value: Json): Json {
  read(target, path);
  return at(target, path, value, (parent, key) => {
    if (isJsonArray(parent)) return parent.with(arrayIndex(key, parent.length, false), value);
    return objectFrom(Object.entries(parent).map(([name, old]) => [name, name === key ? value : old]));
  });
}

function move(target: Json, from: readonly string[], path: readonly string[]): Json {
  const value = read(target, from);
  if (path.length > from.length && from.every((key, index) => path[index] === key))
    throw new PatchError('a value cannot be moved into itself', true);
  return add(remove(target, from), path, value);
}

function read(target: Json, path: readonly string[]): Json {
  let current = target;
  for (const key of path) current = child(current, key);
  return current;
}

function child(parent: Json, key: string): Json {
  const found = isJsonArray(parent)
    ? parent[arrayIndex(key, parent.length, false)]
    : isJsonObject(parent) && Object.hasOwn(parent, key)
      ? parent[key]
      : undefined;
  if (found === undefined) throw new PatchError(`there is nothing at "${key}"`, true);
  return found;
}

type Parent = Exclude<Json, boolean | null | number | string>;

/** Rebuilds the path down to the parent of its last key; the whole document where the path is empty. */
function at(target: Json, path: readonly string[], whole: Json, edit: (parent: Parent, key: string) => Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return whole;
  if (!isJsonArray(target) && !isJsonObject(target)) throw new PatchError(`there is nothing at "${key}"`, true);
  if (rest.length === 0) return edit(target, key);
  const inner = at(child(target, key), rest, whole, edit);
  if (isJsonArray(target)) return target.with(arrayIndex(key, target.length, false), inner);
  return objectFrom(Object.entries(target).map(([name, old]) => [name, name === key ? inner : old]));
}

function textField(operation: Json, name: string): string {
  const value = isJsonObject(operation) ? operation[name] : undefined;
  if (typeof value !== 'string') throw new PatchError(`a patch operation lacks "${name}"`, false);
  return value;
}

function valueField(operation: Json): Json {
  const value = isJsonObject(operation) ? operation['value'] : undefined;
  if (value === undefined) throw new PatchError('a patch operation lacks "value"', false);
  return value;
}
