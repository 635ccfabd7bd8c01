import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { JsonObject } from '../objects/json.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { checkBudget, CheckTooCostly, type CheckBudget } from './check-budget.ts';
import { COST, toJsonSchema } from './json-schema.ts';
import { linearRegExp } from './linear-reg-exp.ts';
import { problemOf } from './schema-problem.ts';

/** Checks objects against one schema. */
export interface SchemaValidator {
  /** Every problem at once, up to fifty. */
  problems(object: JsonObject): readonly FieldProblem[];
}

const MAX_PROBLEMS = 50;
/** A keyword can leave an error behind, which costs far more than to look at a character. */
const STEPS_PER_KEYWORD = 50;

const known = new WeakMap<JsonObject, SchemaValidator | Error>();

/** Compiles the schema of a custom resource's version. Throws what is wrong with a schema that is none. */
export function compileSchema(openApiSchema: JsonObject): SchemaValidator {
  const made = compiled(openApiSchema);
  if (made instanceof Error) throw made;
  return made;
}

/** Why a schema cannot be compiled; undefined if it can. */
export function schemaFault(openApiSchema: JsonObject): string | undefined {
  const made = compiled(openApiSchema);
  return made instanceof Error ? made.message : undefined;
}

function compiled(openApiSchema: JsonObject): Error | SchemaValidator {
  const made = known.get(openApiSchema) ?? attempt(() => validatorFor(toJsonSchema(openApiSchema)));
  known.set(openApiSchema, made);
  return made;
}

function attempt<T>(make: () => T): Error | T {
  try {
    return make();
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

function validatorFor(schema: JsonObject): SchemaValidator {
  const budget = checkBudget();
  const validate = compile(schema, budget);
  return {
    problems(object) {
      budget.reset();
      try {
        if (validate(object)) return [];
      } catch (error) {
        if (!(error instanceof CheckTooCostly)) throw error;
        return [{ field: '', reason: 'FieldValueTooLong', message: `Too long: ${error.message}` }];
      }
      return (validate.errors ?? []).filter(saysSomething).slice(0, MAX_PROBLEMS).map(problemOf);
    },
  };
}

function compile(schema: JsonObject, budget: CheckBudget): ValidateFunction {
  const regExp = Object.assign((pattern: string) => linearRegExp(pattern, budget), { code: 'linearRegExp' });
  // To optimize the code takes quadratic time, and so does the form that stops at the first error.
  const code = { regExp, optimize: false };
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true, logger: false, formats: FORMATS, code });
  ajv.addKeyword({
    keyword: COST,
    schemaType: 'number',
    errors: false,
    validate: (cost: number, data: unknown) => {
      budget.spend(cost * STEPS_PER_KEYWORD + sizeOf(data));
      return true;
    },
  });
  return ajv.compile(schema);
}

function sizeOf(data: unknown): number {
  if (typeof data === 'string') return data.length;
  return typeof data === 'object' && data !== null ? Object.keys(data).length : 0;
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
