import type { ErrorObject } from 'ajv';
import type { FieldProblem } from '../objects/status-error.ts';

const MAX_SHOWN = 1_000;
const MAX_LISTED = 100;

/** One complaint of the schema checker, in the words kubectl's users know. */
export function problemOf(error: ErrorObject): FieldProblem {
  const field = fieldOf(error.instancePath);
  if (error.keyword === 'required') return requiredProblem(field, error);
  if (error.keyword === 'enum') return enumProblem(field, error);
  const invalidValue = error.keyword === 'type' ? `"${typeName(error.data)}"` : shown(error.data);
  const reason = error.keyword === 'type' ? 'FieldValueTypeInvalid' : 'FieldValueInvalid';
  return { field, reason, message: `Invalid value: ${invalidValue}: ${field} in body ${complaint(error)}` };
}

/** `/spec/ports/0/name` becomes `spec.ports[0].name`. */
function fieldOf(pointer: string): string {
  const parts = pointer.split('/').slice(1);
  const named = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return named.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : (index > 0 ? '.' : '') + part)).join('');
}

function requiredProblem(parent: string, error: ErrorObject): FieldProblem {
  const missing = parameter(error, 'missingProperty');
  const field = parent === '' ? missing : `${parent}.${missing}`;
  return { field, reason: 'FieldValueRequired', message: 'Required value' };
}

function enumProblem(field: string, error: ErrorObject): FieldProblem {
  const allowed: unknown = error.params['allowedValues'];
  const list = Array.isArray(allowed) ? allowed.slice(0, MAX_LISTED).map(shown).join(', ') : '';
  const message = `Unsupported value: ${shown(error.data)}: supported values: ${list}`;
  return { field, reason: 'FieldValueNotSupported', message };
}

function complaint(error: ErrorObject): string {
  const limit = parameter(error, 'limit');
  switch (error.keyword) {
    case 'type':
      return `must be of type ${parameter(error, 'type')}: "${typeName(error.data)}"`;
    case 'pattern':
      return `should match '${parameter(error, 'pattern')}'`;
    case 'format':
      return `must be of type ${parameter(error, 'format')}: ${shown(error.data)}`;
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
    default:
      return error.message ?? 'does not match its schema';
  }
}

function parameter(error: ErrorObject, name: string): string {
  const value: unknown = error.params[name];
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** A value as it stands in a message; a long one is cut. */
function shown(data: unknown): string {
  const text = typeof data === 'string' ? JSON.stringify(data.slice(0, MAX_SHOWN)) : (JSON.stringify(data) ?? '');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Kubernetes names the type of a wrong value instead of quoting it. */
function typeName(data: unknown): string {
  if (data === null) return 'null';
  if (Array.isArray(data)) return 'array';
  return Number.isInteger(data) ? 'integer' : typeof data;
}
