import type { Json } from '../objects/json.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { typeOf } from './schema-values.ts';

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
