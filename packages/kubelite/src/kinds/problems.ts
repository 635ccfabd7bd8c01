import { sameJson, type Json } from '../objects/json.ts';
import type { FieldProblem } from '../objects/status-error.ts';

/** A field that has to be there. */
export function requiredField(field: string, why = ''): FieldProblem {
  return { field, reason: 'FieldValueRequired', message: why === '' ? 'Required value' : `Required value: ${why}` };
}

/** A value that is not allowed. */
export function invalidField(field: string, value: Json, why: string): FieldProblem {
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(value)}: ${why}` };
}

/** A value that is none of those there are. */
export function unsupportedField(field: string, value: string, supported: readonly string[]): FieldProblem {
  const list = supported.map((item) => JSON.stringify(item)).join(', ');
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`;
  return { field, reason: 'FieldValueNotSupported', message };
}

/** A field that may not be set, or not like this. */
export function forbiddenField(field: string, why: string): FieldProblem {
  return { field, reason: 'FieldValueForbidden', message: `Forbidden: ${why}` };
}

/** A value that is there already. */
export function duplicateField(field: string, value: Json): FieldProblem {
  return { field, reason: 'FieldValueDuplicate', message: `Duplicate value: ${JSON.stringify(value)}` };
}

/** The problem of a field that was changed though it never may be. */
export function immutableField(field: string, value: Json | undefined, previous: Json | undefined): FieldProblem[] {
  return sameJson(value, previous) ? [] : [invalidField(field, value ?? null, 'field is immutable')];
}
