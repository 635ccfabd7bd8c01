import type { Json, JsonObject } from '../objects/json.ts';

/** The JSON types that a schema allows; none where any is allowed. */
export function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return withNull(['integer', 'string'], schema);
  return typeof type === 'string' ? withNull([type], schema) : [];
}

function withNull(types: readonly string[], { nullable }: JsonObject): readonly string[] {
  return nullable === true ? [...types, 'null'] : types;
}

/** Whether a value is of a JSON type. Each integer is a number as well. */
export function isOfType(value: Json, type: string): boolean {
  const own = typeOf(value);
  return own === type || (own === 'integer' && type === 'number');
}

/** The JSON type of a value. */
export function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The number of characters, of which some take two places in a string. */
export function lengthOf(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

/** The formats that are checked. */
export const FORMATS: ReadonlyMap<string, RegExp> = new Map([
  ['byte', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['date-time', /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/],
  ['duration', /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/],
  ['email', /^[^@\s]+@[^@\s]+$/],
  ['ipv4', /^(\d{1,3}\.){3}\d{1,3}$/],
  ['ipv6', /^[0-9a-fA-F:.]+$/],
  ['uuid', /^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/],
]);
