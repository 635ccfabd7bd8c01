import { valueAt } from '../json.ts';
import type { KubeObject } from '../kube-object.ts';
import { badRequest } from '../statuses.ts';

/** One term of a field selector. */
export interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

const OPERATORS = ['!=', '==', '='] as const;
const ESCAPABLE = new Set(['\\', ',', '=']);

/** Reads `metadata.name=x,status.phase!=Running`. A backslash escapes. Throws 400 for anything else. */
export function parseFieldSelector(text: string): readonly FieldTerm[] {
  return splitTerms(text).map((term) => parseTerm(term, text));
}

/** The value that the terms require of a field; empty if they leave it open. */
export function requiredValue(terms: readonly FieldTerm[], field: string): string {
  return terms.find((term) => term.field === field && term.equal)?.value ?? '';
}

/** Whether an object has what the terms require. */
export function matchesFields(terms: readonly FieldTerm[], object: KubeObject): boolean {
  return terms.every((term) => matches(object, term) === term.equal);
}

/** Throws 400 when a term names a field that the kind cannot be selected by. */
export function requireSelectable(terms: readonly FieldTerm[], fields: readonly string[]): void {
  const known = new Set(['metadata.name', 'metadata.namespace', ...fields]);
  const unknown = terms.find((term) => !known.has(term.field));
  if (unknown) throw badRequest(`field label not supported: ${unknown.field}`);
}

/** Splits at commas that no backslash escapes. */
function splitTerms(text: string): readonly string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (at === text.length || text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (start < text.length) terms.push(text.slice(start));
  return terms.filter((term) => term !== '');
}

function parseTerm(term: string, whole: string): FieldTerm {
  const at = term.search(/[!=]/);
  const operator = OPERATORS.find((candidate) => term.startsWith(candidate, at));
  if (at < 1 || operator === undefined) throw badRequest(`invalid selector: '${whole}'; can't understand '${term}'`);
  const value = unescapeValue(term.slice(at + operator.length), whole);
  return { field: term.slice(0, at), equal: operator !== '!=', value };
}

function unescapeValue(text: string, whole: string): string {
  let value = '';
  for (let at = 0; at < text.length; at += 1) {
    const escaped = text[at] === '\\';
    if (escaped) at += 1;
    const character = text[at] ?? '';
    if (escaped ? !ESCAPABLE.has(character) : character === '=')
      throw badRequest(`invalid selector: '${whole}'; invalid value '${text}'`);
    value += character;
  }
  return value;
}

/** A field that is not there is empty, or false where a boolean is asked for. */
function matches(object: KubeObject, { field, value }: FieldTerm): boolean {
  const found = valueAt(object, ...field.split('.'));
  if (found === undefined || found === null) return value === '' || value === 'false';
  return typeof found !== 'object' && String(found) === value;
}
