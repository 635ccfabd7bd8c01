import type { Json, JsonObject } from '../objects/json.ts';
import type { FieldProblem } from '../objects/status-error.ts';

/** A value that does not fit a keyword of its schema. */
export interface Complaint {
  readonly field: string;
  readonly keyword: string;
  readonly value: Json;
  /** What the keyword asks for. */
  readonly parameter: Json;
}

const MAX_SHOWN = 1_000;
const MAX_LISTED = 100;

/** A complaint in the words that users of kubectl know. */
export function problemOf(complaint: Complaint): FieldProblem {
  const { keyword, value, parameter } = complaint;
  const field = complaint.field.slice(0, MAX_SHOWN);
  if (keyword === 'required') return requiredProblem(field, typeof parameter === 'string' ? parameter : '');
  if (keyword === 'enum') return enumProblem(field, value, parameter);
  const invalidValue = keyword === 'type' ? `"${typeOf(value)}"` : shown(value);
  const reason = keyword === 'type' ? 'FieldValueTypeInvalid' : 'FieldValueInvalid';
  return { field, reason, message: `Invalid value: ${invalidValue}: ${field} in body ${demandOf(complaint)}` };
}

function requiredProblem(parent: string, missing: string): FieldProblem {
  const field = parent === '' ? missing : `${parent}.${missing}`;
  return { field: field.slice(0, MAX_SHOWN), reason: 'FieldValueRequired', message: 'Required value' };
}

function enumProblem(field: string, value: Json, allowed: Json): FieldProblem {
  const list = Array.isArray(allowed) ? allowed.slice(0, MAX_LISTED).map(shown).join(', ') : '';
  const message = `Unsupported value: ${shown(value)}: supported values: ${list}`;
  return { field, reason: 'FieldValueNotSupported', message };
}

function demandOf({ keyword, value, parameter }: Complaint): string {
  const limit = typeof parameter === 'object' ? '' : String(parameter);
  switch (keyword) {
    case 'type':
      return `must be of type ${limit}: "${typeOf(value)}"`;
    case 'pattern':
      return `should match '${limit}'`;
    case 'format':
      return `must be of type ${limit}: ${shown(value)}`;
    case 'minimum':
      return `should be greater than or equal to ${limit}`;
    case 'maximum':
      return `should be less than or equal to ${limit}`;
    case 'exclusiveMinimum':
      return `should be greater than ${limit}`;
    case 'exclusiveMaximum':
      return `should be less than ${limit}`;
    case 'minLength':
      return `should be at least ${limit} chars long`;
    case 'maxLength':
      return `should be at most ${limit} chars long`;
    case 'minItems':
      return `should have at least ${limit} items`;
    case 'maxItems':
      return `should have at most ${limit} items`;
    case 'minProperties':
      return `should have at least ${limit} properties`;
    case 'maxProperties':
      return `should have at most ${limit} properties`;
    case 'multipleOf':
      return `must be multiple of ${limit}`;
    default:
      return DEMANDS[keyword] ?? 'does not match its schema';
  }
}

const DEMANDS: Readonly<Record<string, string>> = {
  additionalProperties: 'must NOT have additional properties',
  anyOf: 'must match a schema in anyOf',
  not: 'must NOT be valid',
  oneOf: 'must match exactly one schema in oneOf',
};

/** A value as it stands in a message; a long one is cut. */
function shown(data: Json): string {
  const text = typeof data === 'string' ? JSON.stringify(data.slice(0, MAX_SHOWN)) : (JSON.stringify(data) ?? '');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

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
function typeOf(value: Json): string {
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
