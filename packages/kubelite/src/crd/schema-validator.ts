import type { RE2JS } from 're2js';
import { isJsonArray, isJsonObject, sameJson, type Json, type JsonObject } from '../objects/json.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { type Complaint, FORMATS, isOfType, lengthOf, problemOf, typesOf } from './schema-problem.ts';
import { schemaInspector, type InspectedSchema } from './schema-inspection.ts';

/** Checks objects against one schema. */
export interface SchemaValidator {
  /** Every problem at once, up to fifty. */
  problems(object: JsonObject): readonly FieldProblem[];
}

const MAX_PROBLEMS = 50;
/** An object and a schema multiply. A step is an instruction of a pattern at a character; to look at a keyword takes 50. */
const MAX_STEPS = 50_000_000;

const known = new WeakMap<JsonObject, SchemaValidator | Error>();

/**
 * Prepares the schema of a custom resource's version. Throws what is wrong with it. Schemas are interpreted: to generate
 * code from a large one, as schema libraries do, takes seconds.
 */
export function compileSchema(openApiSchema: JsonObject): SchemaValidator {
  const made = prepared(openApiSchema);
  if (made instanceof Error) throw made;
  return made;
}

/** Why a schema cannot be used; undefined if it can. */
export function schemaFault(openApiSchema: JsonObject): string | undefined {
  const made = prepared(openApiSchema);
  return made instanceof Error ? made.message : undefined;
}

function prepared(schema: JsonObject): Error | SchemaValidator {
  const made = known.get(schema) ?? attempt(() => validatorFor(schema, schemaInspector().inspect(schema)));
  known.set(schema, made);
  return made;
}

function attempt<T>(make: () => T): Error | T {
  try {
    return make();
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

function validatorFor(schema: JsonObject, { patterns, costs }: InspectedSchema): SchemaValidator {
  return {
    problems(object) {
      const complaints: Complaint[] = [];
      let left = MAX_STEPS;
      const spend = (steps: number) => {
        left -= steps;
        if (left < 0) throw new CheckTooCostly();
      };
      try {
        check(object, schema, '', { patterns, costs, complaints, spend });
      } catch (error) {
        if (!(error instanceof CheckTooCostly)) throw error;
        return [
          { field: '', reason: 'FieldValueTooLong', message: 'Too long: the object is too large for its schema' },
        ];
      }
      return complaints.map(problemOf);
    },
  };
}

class CheckTooCostly extends Error {
  override readonly name = 'CheckTooCostly';
}

interface Run {
  readonly patterns: ReadonlyMap<string, RE2JS>;
  readonly costs: ReadonlyMap<JsonObject, number>;
  readonly complaints: Complaint[];
  readonly spend: (steps: number) => void;
}

/** Whether the value fits the schema; why it does not is added to the complaints. */
function check(value: Json, schema: JsonObject, field: string, run: Run): boolean {
  run.spend(run.costs.get(schema) ?? 1);
  let fits = true;
  const complain = (keyword: string, parameter: Json = schema[keyword] ?? null) => {
    fits = false;
    if (run.complaints.length < MAX_PROBLEMS) run.complaints.push({ field, keyword, value, parameter });
  };
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) complain('type', types.join(','));
  const allowed = schema['enum'];
  if (isJsonArray(allowed) && !allowed.some((item) => sameJson(item, value))) complain('enum');
  if (typeof value === 'string') checkText(value, schema, complain, run);
  else if (typeof value === 'number') checkNumber(value, schema, complain);
  else if (isJsonArray(value)) checkSize(value.length, schema, 'Items', complain);
  else if (isJsonObject(value)) checkFields(value, schema, complain);
  const insideFits = checkInside(value, schema, field, { run, complain });
  // As in Kubernetes, null is not checked by schemas that combine others.
  const allFit = value === null || checkBranches(value, schema, field, { run, complain });
  return fits && insideFits && allFit;
}

type Complain = (keyword: string, parameter?: Json) => void;

function checkText(value: string, schema: JsonObject, complain: Complain, { patterns, spend }: Run): void {
  const { pattern, format } = schema;
  spend(value.length);
  checkSize(lengthOf(value), schema, 'Length', complain);
  if (typeof pattern === 'string') {
    const compiled = patterns.get(pattern);
    spend((compiled?.programSize() ?? 1) * value.length);
    if (compiled?.test(value) === false) complain('pattern');
  }
  if (typeof format === 'string' && FORMATS.get(format)?.test(value) === false) complain('format');
}

function checkNumber(value: number, schema: JsonObject, complain: Complain): void {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema;
  // OpenAPI 3.0 has flags beside the bounds, JSON Schema has bounds.
  const lowest = typeof above === 'number' ? above : above === true ? minimum : undefined;
  const highest = typeof below === 'number' ? below : below === true ? maximum : undefined;
  if (typeof lowest === 'number' && value <= lowest) complain('exclusiveMinimum', lowest);
  if (above !== true && typeof minimum === 'number' && value < minimum) complain('minimum');
  if (typeof highest === 'number' && value >= highest) complain('exclusiveMaximum', highest);
  if (below !== true && typeof maximum === 'number' && value > maximum) complain('maximum');
  if (typeof multipleOf === 'number' && !Number.isInteger(value / multipleOf)) complain('multipleOf');
}

function checkSize(
  size: number,
  schema: JsonObject,
  what: 'Items' | 'Length' | 'Properties',
  complain: Complain,
): void {
  const [least, most] = [schema[`min${what}`], schema[`max${what}`]];
  if (typeof least === 'number' && size < least) complain(`min${what}`);
  if (typeof most === 'number' && size > most) complain(`max${what}`);
}

function checkFields(value: JsonObject, schema: JsonObject, complain: Complain): void {
  checkSize(Object.keys(value).length, schema, 'Properties', complain);
  const { required } = schema;
  if (!isJsonArray(required)) return;
  for (const name of required)
    if (typeof name === 'string' && (!Object.hasOwn(value, name) || value[name] === undefined))
      complain('required', name);
}

interface Place {
  readonly run: Run;
  readonly complain: Complain;
}

function checkInside(value: Json, schema: JsonObject, field: string, { run, complain }: Place): boolean {
  const { items, properties, additionalProperties: others } = schema;
  let fits = true;
  if (isJsonArray(value) && isJsonObject(items))
    for (const [index, item] of value.entries()) fits = check(item, items, `${field}[${index}]`, run) && fits;
  if (!isJsonObject(value)) return fits;
  const named = isJsonObject(properties) ? properties : {};
  for (const [name, child] of Object.entries(value)) {
    run.spend(1);
    if (child === undefined) continue;
    const schemaOfChild = Object.hasOwn(named, name) ? named[name] : others;
    if (schemaOfChild === false) complain('additionalProperties');
    else if (isJsonObject(schemaOfChild))
      fits = check(child, schemaOfChild, field === '' ? name : `${field}.${name}`, run) && fits;
  }
  return fits;
}

/** Whether the value fits `allOf`. Complaints of other branches count only where no branch fits. */
function checkBranches(value: Json, schema: JsonObject, field: string, { run, complain }: Place): boolean {
  const { complaints } = run;
  const fits = (branch: Json) => !isJsonObject(branch) || check(value, branch, field, run);
  const fitting = (branches: readonly Json[], keeps: (count: number) => boolean) => {
    const before = complaints.length;
    const count = branches.filter(fits).length;
    if (!keeps(count)) complaints.length = before;
    return count;
  };
  const { allOf, anyOf, oneOf, not } = schema;
  const fitsAll = !isJsonArray(allOf) || fitting(allOf, () => true) === allOf.length;
  if (isJsonArray(anyOf) && fitting(anyOf, (count) => count === 0) === 0) complain('anyOf');
  if (isJsonArray(oneOf) && fitting(oneOf, (count) => count === 0) !== 1) complain('oneOf');
  if (isJsonObject(not) && fitting([not], () => false) === 1) complain('not');
  return fitsAll;
}
