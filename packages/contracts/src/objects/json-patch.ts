import { isJsonArray, isJsonObject, type Json } from '@fenestra/kernel';
import {
  boundedCopier,
  fromWorking,
  PatchError,
  sameWorking,
  toWorking,
  workBudget,
  type WorkBudget,
  type Working,
} from './working-copy.ts';

const MAX_OPERATIONS = 10_000;
/** As in Kubernetes: as much as a request may hold. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;
/** Items that arrays move to make room or to close a gap. */
const MAX_MOVED = 50_000_000;
/** Values that `test` operations compare: about a tenth of a second. */
const MAX_COMPARED = 1_000_000;

/** Applies a JSON patch. Throws `PatchError` and changes nothing when any operation fails. https://www.rfc-editor.org/rfc/rfc6902 */
export function applyJsonPatch(target: Json, patch: Json): Json {
  if (!isJsonArray(patch)) throw malformed('it is not an array');
  if (patch.length > MAX_OPERATIONS)
    throw new PatchError(`a JSON patch has at most ${MAX_OPERATIONS} operations`, false);
  const patching: Patching = {
    root: toWorking(target),
    copy: boundedCopier(MAX_COPIED_BYTES),
    moved: workBudget(MAX_MOVED),
    compared: workBudget(MAX_COMPARED),
  };
  for (const operation of patch) applyOperation(patching, operation);
  return fromWorking(patching.root);
}

interface Patching {
  root: Working;
  readonly copy: (value: Working) => Working;
  readonly moved: WorkBudget;
  readonly compared: WorkBudget;
}

/** The keys of a path, and how to say that the operation fails there. */
interface Place {
  readonly keys: readonly string[];
  readonly fail: (reason: string) => PatchError;
}

function applyOperation(patching: Patching, operation: Json): void {
  const name = textField(operation, 'op');
  const path = textField(operation, 'path');
  const fail = (reason: string) => new PatchError(`"${name}" at "${path}" ${reason}`, true);
  const place: Place = { keys: parsePointer(path), fail };
  const source = (): Place => ({ keys: parsePointer(textField(operation, 'from')), fail });
  switch (name) {
    case 'add':
      return add(patching, place, toWorking(valueField(operation)));
    case 'remove':
      return remove(patching, place);
    case 'replace':
      return replace(patching, place, toWorking(valueField(operation)));
    case 'move':
      return move(patching, source(), place);
    case 'copy':
      return add(patching, place, patching.copy(read(patching.root, source())));
    case 'test':
      if (sameWorking(read(patching.root, place), valueField(operation), patching.compared)) return;
      throw fail('finds another value');
    default:
      throw malformed(`the operation "${name}" is unknown`);
  }
}

function add(patching: Patching, place: Place, value: Working): void {
  const key = place.keys.at(-1);
  if (key === undefined) return void (patching.root = value);
  const parent = parentOf(patching, place);
  if (parent instanceof Map) return void parent.set(key, value);
  const index = key === '-' ? parent.length : indexOf(key);
  if (index === undefined || index > parent.length) throw place.fail('is beyond the end of the list');
  patching.moved.spend(parent.length - index);
  parent.splice(index, 0, value);
}

function remove(patching: Patching, place: Place): void {
  const key = place.keys.at(-1);
  read(patching.root, place);
  if (key === undefined) return void (patching.root = null);
  const parent = parentOf(patching, place);
  if (parent instanceof Map) return void parent.delete(key);
  patching.moved.spend(parent.length - Number(key));
  parent.splice(Number(key), 1);
}

function replace(patching: Patching, place: Place, value: Working): void {
  const key = place.keys.at(-1);
  read(patching.root, place);
  if (key === undefined) return void (patching.root = value);
  const parent = parentOf(patching, place);
  if (parent instanceof Map) parent.set(key, value);
  else parent[Number(key)] = value;
}

function move(patching: Patching, from: Place, to: Place): void {
  const value = read(patching.root, from);
  if (to.keys.length > from.keys.length && from.keys.every((key, index) => to.keys[index] === key))
    throw to.fail('moves a value into itself');
  remove(patching, from);
  add(patching, to, value);
}

function read(target: Working, { keys, fail }: Place): Working {
  let current: Working | undefined = target;
  for (const key of keys) {
    if (Array.isArray(current)) current = current[indexOf(key) ?? current.length];
    else current = current instanceof Map ? current.get(key) : undefined;
    if (current === undefined) throw fail('finds nothing there');
  }
  return current;
}

/** What holds the last key of a path. */
function parentOf({ root }: Patching, { keys, fail }: Place): Working[] | Map<string, Working> {
  const missing = () => fail('finds nothing to add to');
  const parent = read(root, { keys: keys.slice(0, -1), fail: missing });
  if (Array.isArray(parent) || parent instanceof Map) return parent;
  throw missing();
}

function indexOf(key: string): number | undefined {
  return /^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : undefined;
}

/** The keys of a JSON pointer. https://www.rfc-editor.org/rfc/rfc6901 */
function parsePointer(pointer: string): readonly string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) throw malformed(`"${pointer}" is not a JSON pointer`);
  const keys = pointer.slice(1).split('/');
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function textField(operation: Json, name: string): string {
  const value = isJsonObject(operation) ? operation[name] : undefined;
  if (typeof value !== 'string') throw malformed(`"${name}" is missing`);
  return value;
}

function valueField(operation: Json): Json {
  const value = isJsonObject(operation) ? operation['value'] : undefined;
  if (value === undefined) throw malformed('"value" is missing');
  return value;
}

function malformed(reason: string): PatchError {
  return new PatchError(`it must be a list of operations with "op" and "path": ${reason}`, false);
}

/** Applies a JSON merge patch: null removes, objects merge, everything else replaces. https://www.rfc-editor.org/rfc/rfc7396 */
export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else if (value !== undefined) merged.set(key, applyMergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
