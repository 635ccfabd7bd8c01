import { valueAt } from '../json.ts';
import type { KubeObject } from '../kube-object.ts';
import { badRequest } from '../statuses.ts';
import type { Selects } from './label-selector.ts';

/** One term of a field selector. */
export interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/** Reads `metadata.name=x,status.phase!=Running`. A backslash escapes. Throws 400 for anything else. */
export function parseFieldSelector(text: string): readonly FieldTerm[] {
  const parts = text.split(/(?<!\\),/).filter((part) => part !== '');
  return parts.map((part) => parseTerm(part, text));
}

/** A test for the terms. */
export function selectByFields(terms: readonly FieldTerm[]): Selects {
  return (object) => terms.every((term) => matches(object, term) === term.equal);
}

/** Throws 400 when a term names a field that the kind cannot be selected by. */
export function requireSelectable(terms: readonly FieldTerm[], fields: readonly string[]): void {
  const known = new Set(['metadata.name', 'metadata.namespace', ...fields]);
  const unknown = terms.find((term) => !known.has(term.field));
  if (unknown) throw badRequest(`field label not supported: ${unknown.field}`);
}

function parseTerm(part: string, whole: string): FieldTerm {
  const [, field, operator, value = ''] = /^\s*([^=!\s]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(part) ?? [];
  if (field === undefined) throw badRequest(`invalid selector: '${whole}'; can't understand '${part}'`);
  return { field, equal: operator !== '!=', value: value.replaceAll(/\\(.)/g, '$1') };
}

/** A field that is not there is empty, or false where a boolean is asked for. */
function matches(object: KubeObject, { field, value }: FieldTerm): boolean {
  const found = valueAt(object, ...field.split('.'));
  if (found === undefined || found === null) return value === '' || value === 'false';
  return typeof found !== 'object' && String(found) === value;
}
