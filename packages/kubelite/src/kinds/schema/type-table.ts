import { reference, type Definitions, type Schema } from './schema.ts';

/**
 * The types of one API group as text. A type is `Name: field type, field! type`; an exclamation mark means required,
 * an indented line continues the type above. `T[]` is a list replaced as a whole, `T[a+b]` a list merged by these
 * keys, `T[*]` a list merged as a set, `map<T>` an object with any keys.
 */
export interface TypeTable {
  /** What comes before a type's name in the OpenAPI document, such as `io.k8s.api.core.v1`. */
  readonly prefix: string;
  readonly text: string;
}

const SCALARS: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  integer: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  number: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time' },
  Quantity: { type: 'string', format: 'quantity', 'x-kubernetes-int-or-string': true },
  IntOrString: { type: 'string', format: 'int-or-string', 'x-kubernetes-int-or-string': true },
  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

/** Reads the tables into schemas. A type name means the table's own type first, then the one of an earlier table. */
export function readTypeTables(tables: readonly TypeTable[]): Definitions {
  const names = new Map<string, string>();
  const definitions = new Map<string, Schema>();
  for (const table of tables) {
    const types = typesOf(table.text);
    for (const [name] of types) names.set(name, `${table.prefix}.${name}`);
    for (const [name, fields] of types) definitions.set(`${table.prefix}.${name}`, objectSchema(fields, names));
  }
  return definitions;
}

function typesOf(text: string): readonly (readonly [string, string])[] {
  const lines = text.trim().split(/\n(?! )/);
  return lines.map((line) => {
    const colon = line.indexOf(': ');
    return [line.slice(0, colon), line.slice(colon + 2).replaceAll(/\s+/g, ' ')];
  });
}

function objectSchema(fields: string, names: ReadonlyMap<string, string>): Schema {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const field of fields.split(', ')) {
    const [label = '', type = ''] = field.split(' ');
    const name = label.replace('!', '');
    if (label !== name) required.push(name);
    properties[name] = typeSchema(type, names);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function typeSchema(type: string, names: ReadonlyMap<string, string>): Schema {
  const list = /^(.+)\[(.*)\]$/.exec(type);
  if (list) return listSchema(typeSchema(list[1] ?? '', names), list[2] ?? '');
  const map = /^map<(.+)>$/.exec(type);
  if (map) return { type: 'object', additionalProperties: typeSchema(map[1] ?? '', names) };
  const scalar = SCALARS[type];
  if (scalar) return scalar;
  const name = names.get(type);
  if (name === undefined) throw new Error(`The type tables do not know the type "${type}"`);
  return reference(name);
}

function listSchema(items: Schema, keys: string): Schema {
  const list: Schema = { type: 'array', items };
  if (keys === '') return { ...list, 'x-kubernetes-list-type': 'atomic' };
  if (keys === '*') return { ...list, 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' };
  const mapKeys = keys.split('+');
  return {
    ...list,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': mapKeys,
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-patch-merge-key': mapKeys[0] ?? '',
  };
}
