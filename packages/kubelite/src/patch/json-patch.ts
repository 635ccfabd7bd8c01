import { isJsonArray, isJsonObject, type Json } from '../objects/json.ts';
import { arrayIndex, parsePointer } from './json-pointer.ts';
import { PatchError } from './patch-error.ts';
import { workBudget, type WorkBudget } from './work-budget.ts';
import { boundedCopier, fromWorking, sameWorking, toWorking, type Working } from './working-copy.ts';

const MAX_OPERATIONS = 10_000;
/** As in Kubernetes: as much as a request may hold. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;
const MAX_STEPS = 50_000_000;

/** Applies a JSON patch. Throws `PatchError` and changes nothing when any operation fails. https://www.rfc-editor.org/rfc/rfc6902 */
export function applyJsonPatch(target: Json, patch: Json): Json {
  if (!isJsonArray(patch)) throw new PatchError('a JSON patch is an array of operations', false);
  if (patch.length > MAX_OPERATIONS)
    throw new PatchError(`a JSON patch has at most ${MAX_OPERATIONS} operations`, false);
  const patching: Patching = {
    root: toWorking(target),
    copy: boundedCopier(MAX_COPIED_BYTES),
    budget: workBudget(MAX_STEPS),
  };
  for (const operation of patch) applyOperation(patching, operation);
  return fromWorking(patching.root);
}

interface Patching {
  root: Working;
  readonly copy: (value: Working) => Working;
  readonly budget: WorkBudget;
}

function applyOperation(patching: Patching, operation: Json): void {
  const name = textField(operation, 'op');
  const path = parsePointer(textField(operation, 'path'));
  switch (name) {
    case 'add':
      return add(patching, path, toWorking(valueField(operation)));
    case 'remove':
      return remove(patching, path);
    case 'replace':
      return replace(patching, path, toWorking(valueField(operation)));
    case 'move':
      return move(patching, parsePointer(textField(operation, 'from')), path);
    case 'copy':
      return add(patching, path, patching.copy(read(patching.root, parsePointer(textField(operation, 'from')))));
    case 'test':
      if (sameWorking(read(patching.root, path), valueField(operation))) return;
      throw new PatchError(`testing path /${path.join('/')} failed`, true);
    default:
      throw new PatchError(`unknown operation "${name}"`, false);
  }
}

function add(patching: Patching, path: readonly string[], value: Working): void {
  const key = path.at(-1);
  if (key === undefined) patching.root = value;
  else insert(parentOf(patching, path), key, value, patching.budget);
}

function insert(parent: Parent, key: string, value: Working, budget: WorkBudget): void {
  if (parent instanceof Map) return void parent.set(key, value);
  const index = arrayIndex(key, parent.length, true);
  budget.spend(parent.length - index);
  parent.splice(index, 0, value);
}

function remove(patching: Patching, path: readonly string[]): void {
  const key = path.at(-1);
  read(patching.root, path);
  if (key === undefined) return void (patching.root = null);
  const parent = parentOf(patching, path);
  if (parent instanceof Map) return void parent.delete(key);
  const index = arrayIndex(key, parent.length, false);
  patching.budget.spend(parent.length - index);
  parent.splice(index, 1);
}

function replace(patching: Patching, path: readonly string[], value: Working): void {
  const key = path.at(-1);
  read(patching.root, path);
  if (key === undefined) return void (patching.root = value);
  const parent = parentOf(patching, path);
  if (parent instanceof Map) parent.set(key, value);
  else parent[arrayIndex(key, parent.length, false)] = value;
}

function move(patching: Patching, from: readonly string[], path: readonly string[]): void {
  const value = read(patching.root, from);
  if (path.length > from.length && from.every((key, index) => path[index] === key))
    throw new PatchError('a value cannot be moved into itself', true);
  remove(patching, from);
  add(patching, path, value);
}

function read(target: Working, path: readonly string[]): Working {
  let current = target;
  for (const key of path) current = child(current, key);
  return current;
}

function child(parent: Working, key: string): Working {
  const found = Array.isArray(parent)
    ? parent[arrayIndex(key, parent.length, false)]
    : parent instanceof Map
      ? parent.get(key)
      : undefined;
  if (found === undefined) throw new PatchError(`there is nothing at "${key}"`, true);
  return found;
}

type Parent = Working[] | Map<string, Working>;

/** What holds the last key of a path. */
function parentOf({ root }: Patching, path: readonly string[]): Parent {
  const parent = read(root, path.slice(0, -1));
  if (Array.isArray(parent) || parent instanceof Map) return parent;
  throw new PatchError(`there is nothing at "${path.at(-1) ?? ''}"`, true);
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
