import { isJsonArray, isJsonObject, objectAt, stringAt, type Json, type JsonObject } from '../objects/json.ts';
import { objectsAt } from '../kinds/json.ts';
import { schemaOf } from './read-schema.ts';

const RULES = 'x-kubernetes-validations';

/** Warns about what a definition asks for and this API does not do. */
export function definitionWarnings(definition: JsonObject): readonly string[] {
  return objectsAt(definition, 'spec', 'versions').flatMap((version, index) => {
    const field = `spec.versions[${index}]`;
    const ruled = ruledFields(version, 1);
    const scale = objectAt(version, 'subresources')['scale'];
    return [
      ...(ruled.length === 0
        ? []
        : [`${field}.schema: ${RULES} are stored but not evaluated: objects that break them are accepted`]),
      ...(scale === undefined ? [] : [`${field}.subresources.scale: the embedded API does not serve scale`]),
    ];
  });
}

/** Warns whoever writes an object about rules that nobody has checked. */
export function objectWarnings(definition: JsonObject, version: JsonObject): readonly string[] {
  const ruled = ruledFields(version, SHOWN_FIELDS + 1);
  if (ruled.length === 0) return [];
  const kind = stringAt(definition, 'spec', 'names', 'kind');
  const fields = ruled.slice(0, SHOWN_FIELDS).join(', ') + (ruled.length > SHOWN_FIELDS ? ', …' : '');
  return [`the embedded API does not evaluate the validation rules (CEL) of ${kind} at: ${fields}`];
}

const SHOWN_FIELDS = 5;
const MAX_FIELD = 200;

/** The first fields with validation rules; the object as a whole is `object`. */
function ruledFields(version: JsonObject, limit: number): readonly string[] {
  const found = new Set<string>();
  const visit = (schema: Json | undefined, path: string): void => {
    if (!isJsonObject(schema) || found.size >= limit) return;
    const rules = schema[RULES];
    if (isJsonArray(rules) && rules.length > 0) found.add(path === '' ? 'object' : path);
    for (const [name, child] of Object.entries(objectAt(schema, 'properties'))) visit(child, fieldBelow(path, name));
    visit(schema['items'], `${path}[]`);
    visit(schema['additionalProperties'], `${path}.*`);
    for (const list of ['allOf', 'anyOf', 'oneOf']) for (const part of objectsAt(schema, list)) visit(part, path);
    visit(schema['not'], path);
  };
  visit(schemaOf(version), '');
  return [...found];
}

/** A path of bounded length: many long ones would exhaust the memory. */
function fieldBelow(path: string, name: string): string {
  const short = name.slice(0, MAX_FIELD);
  if (path === '') return short;
  return path.length > MAX_FIELD ? path : `${path}.${short}`;
}
