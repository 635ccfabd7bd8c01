import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { JsonObject } from '../objects/json.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { toJsonSchema } from './json-schema.ts';
import { problemOf } from './schema-problem.ts';

/** Checks objects against one schema. */
export interface SchemaValidator {
  /** Every problem at once. */
  problems(object: JsonObject): readonly FieldProblem[];
}

/** Compiles the schema of a custom resource's version. Throws what is wrong with a schema that is none. */
export function compileSchema(openApiSchema: JsonObject): SchemaValidator {
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, logger: false, formats: FORMATS });
  const validate: ValidateFunction = ajv.compile(toJsonSchema(openApiSchema));
  return {
    problems(object) {
      if (validate(object)) return [];
      return (validate.errors ?? []).filter(saysSomething).map(problemOf);
    },
  };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const FORMATS = {
  byte: BASE64,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/,
  duration: /^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/,
  email: /^[^@\s]+@[^@\s]+$/,
  ipv4: /^(\d{1,3}\.){3}\d{1,3}$/,
  ipv6: /^[0-9a-fA-F:.]+$/,
  uuid: /^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/,
};

/** A failing branch of `if` or `not` is told by its own error. */
function saysSomething(error: ErrorObject): boolean {
  return error.keyword !== 'if';
}
