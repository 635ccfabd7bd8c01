import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { isMapping } from '../../config/reading/overlay.ts';

type Refuse = (reason: string) => Error;

const pointer = z.string().check(z.regex(/^(\/([^~]|~0|~1)*)?$/));

const Operations = z.array(
  z.discriminatedUnion('op', [
    z.object({ op: z.enum(['add', 'replace', 'test']), path: pointer, value: z.unknown() }),
    z.object({ op: z.literal('remove'), path: pointer }),
    z.object({ op: z.enum(['move', 'copy']), from: pointer, path: pointer }),
  ]),
);

type Operation = z.infer<typeof Operations>[number];

/** Carries out the operations of a JSON patch (RFC 6902), all of them or none. */
export function applyJsonPatch(value: unknown, patch: unknown, refuse: Refuse): unknown {
  const operations = z.safeParse(Operations, patch);
  if (!operations.success) throw refuse('it must be a list of operations with "op" and "path"');
  return operations.data.reduce<unknown>((state, operation) => {
    const fail = (reason: string): Error => refuse(`"${operation.op}" at "${operation.path}" ${reason}`);
    return carryOut(state, operation, fail);
  }, value);
}

function carryOut(state: unknown, operation: Operation, fail: Refuse): unknown {
  const path = keysOf(operation.path);
  switch (operation.op) {
    case 'add':
      return change(state, path, (parent, key) => added(parent, key, operation.value, fail), operation.value);
    case 'remove':
      return removed(state, path, fail);
    case 'replace':
      valueAt(state, path, fail);
      return change(state, path, (parent, key) => replaced(parent, key, operation.value), operation.value);
    case 'test':
      if (!isDeepStrictEqual(valueAt(state, path, fail), operation.value)) throw fail('finds another value');
      return state;
    case 'move':
    case 'copy': {
      const from = keysOf(operation.from);
      const value = valueAt(state, from, fail);
      const rest = operation.op === 'move' ? removed(state, from, fail) : state;
      return change(rest, path, (parent, key) => added(parent, key, value, fail), value);
    }
  }
}

function removed(state: unknown, path: readonly string[], fail: Refuse): unknown {
  valueAt(state, path, fail);
  return change(state, path, (parent, key) => without(parent, key), null);
}

function keysOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(value: unknown, path: readonly string[], fail: Refuse): unknown {
  return path.reduce<unknown>((parent, key) => {
    if (!has(parent, key)) throw fail('finds nothing there');
    return partOf(parent, key);
  }, value);
}

function has(parent: unknown, key: string): boolean {
  if (Array.isArray(parent)) return isIndex(key) && Number(key) < parent.length;
  return isMapping(parent) && Object.hasOwn(parent, key);
}

function partOf(parent: unknown, key: string): unknown {
  if (Array.isArray(parent)) return parent[Number(key)];
  return isMapping(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
}

function isIndex(key: string): boolean {
  return /^(0|[1-9]\d*)$/.test(key);
}

/** The state with the parent of the path's last key changed; the path of no keys is the state itself. */
function change(
  state: unknown,
  [key, ...rest]: readonly string[],
  edit: (parent: unknown, key: string) => unknown,
  whole: unknown,
): unknown {
  if (key === undefined) return whole;
  if (rest.length === 0) return edit(state, key);
  return replaced(state, key, change(partOf(state, key), rest, edit, whole));
}

function added(parent: unknown, key: string, value: unknown, fail: Refuse): unknown {
  if (!Array.isArray(parent)) {
    if (!isMapping(parent)) throw fail('finds nothing to add to');
    return { ...parent, [key]: value };
  }
  const index = key === '-' ? parent.length : Number(key);
  if ((key !== '-' && !isIndex(key)) || index > parent.length) throw fail('is beyond the end of the list');
  return parent.toSpliced(index, 0, value);
}

function replaced(parent: unknown, key: string, value: unknown): unknown {
  if (Array.isArray(parent)) return parent.with(Number(key), value);
  return isMapping(parent) ? { ...parent, [key]: value } : value;
}

function without(parent: unknown, key: string): unknown {
  if (Array.isArray(parent)) return parent.toSpliced(Number(key), 1);
  return Object.fromEntries(Object.entries(isMapping(parent) ? parent : {}).filter(([name]) => name !== key));
}
