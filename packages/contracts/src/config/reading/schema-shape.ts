import * as z from 'zod/mini';

/** What a schema expects at one place, as far as reading a file needs to know. */
export type Shape =
  | { readonly kind: 'mapping'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'names'; readonly value: unknown }
  | { readonly kind: 'list'; readonly element: unknown }
  | { readonly kind: 'text' | 'switch' | 'scalar' };

/** The shape a schema of ours describes. */
export function shapeOf(schema: unknown): Shape {
  if (schema instanceof z.ZodMiniOptional) return shapeOf(schema.def.innerType);
  if (schema instanceof z.ZodMiniObject) return { kind: 'mapping', fields: schema.shape };
  if (schema instanceof z.ZodMiniRecord) return { kind: 'names', value: schema.def.valueType };
  if (schema instanceof z.ZodMiniArray) return { kind: 'list', element: schema.def.element };
  if (schema instanceof z.ZodMiniString || schema instanceof z.ZodMiniEnum) return { kind: 'text' };
  if (schema instanceof z.ZodMiniBoolean) return { kind: 'switch' };
  return { kind: 'scalar' };
}

/** The schemas of which any may hold at one place: several for a union, else the schema itself. */
export function optionsOf(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodMiniOptional) return optionsOf(schema.def.innerType);
  return schema instanceof z.ZodMiniUnion ? schema.def.options.flatMap(optionsOf) : [schema];
}

/** Every field a schema knows, dotted; those in lists and under free names are left out. */
export function fieldPaths(schema: unknown, prefix = ''): readonly string[] {
  const shape = shapeOf(schema);
  if (shape.kind !== 'mapping') return [];
  return Object.entries(shape.fields).flatMap(([key, field]) => {
    const path = joinPath(prefix, key);
    return [path, ...fieldPaths(field, path)];
  });
}

/** `a` and `b` make `a.b`. A name that has dots itself is put in brackets, as in `evictionHard["memory.available"]`. */
export function joinPath(prefix: string, key: string | number): string {
  if (typeof key === 'number') return `${prefix}[${key}]`;
  const name = key.length > MOST_SHOWN ? `${key.slice(0, MOST_SHOWN)}…` : key;
  if (!/^[\w-]+$/.test(name)) return `${prefix}[${JSON.stringify(name)}]`;
  return prefix === '' ? name : `${prefix}.${name}`;
}

/** What a path is in: `a.b` is in `a`, and `a` in the file itself, the empty path. */
export function parentPath(path: string): string {
  const end = path.endsWith(']') ? path.lastIndexOf('[') : path.lastIndexOf('.');
  return path.slice(0, Math.max(0, end));
}

const MOST_SHOWN = 60;

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
