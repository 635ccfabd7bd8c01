import { objectAt, valueAt, type JsonObject } from '@fenestra/kernel';

/** Whether an object is selected. */
export type Selects = (object: JsonObject) => boolean;

/** What is thrown for a selector that cannot be read. */
export type Refuse = (reason: string) => Error;

/** One term of a field selector. */
export interface FieldTerm {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

type Requirement = (labels: JsonObject) => boolean;

const KEY = '[A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?';
const VALUE = '(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?';
const EQUALS = new RegExp(`^(${KEY})\\s*(==|=|!=)\\s*(${VALUE})$`);
const SET = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const EXISTS = new RegExp(`^(!?)\\s*(${KEY})$`);
const OPERATORS = ['!=', '==', '='] as const;
const ESCAPABLE = new Set(['\\', ',', '=']);

/** Reads the label selector `a=b,c!=d,e in (x,y),f notin (z),g,!h`. Throws what `refuse` makes for anything else. */
export function parseLabelSelector(text: string, refuse: Refuse): Selects {
  const requirements = splitOutsideBrackets(text).map((part) => {
    const found = equality(part.trim()) ?? membership(part.trim()) ?? existence(part.trim());
    if (!found) throw refuse(`unable to parse requirement: "${part.trim()}" of the label selector "${text}"`);
    return found;
  });
  return (object) => {
    const labels = objectAt(object, 'metadata', 'labels');
    return requirements.every((requirement) => requirement(labels));
  };
}

/** Reads the field selector `metadata.name=x,status.phase!=Running`. A backslash escapes. Throws what `refuse` makes. */
export function parseFieldSelector(text: string, refuse: Refuse): readonly FieldTerm[] {
  return splitTerms(text).map((term) => parseTerm(term, text, refuse));
}

/** The value that the terms require of a field; empty if they leave it open. */
export function requiredValue(terms: readonly FieldTerm[], field: string): string {
  return terms.find((term) => term.field === field && term.equal)?.value ?? '';
}

/** Whether an object has what the terms require. A field that is absent is empty, or false where a boolean is required. */
export function matchesFields(terms: readonly FieldTerm[], object: JsonObject): boolean {
  return terms.every(({ field, equal, value }) => {
    const found = valueAt(object, ...field.split('.'));
    if (found === undefined || found === null) return (value === '' || value === 'false') === equal;
    return (typeof found !== 'object' && String(found) === value) === equal;
  });
}

/** Splits at commas outside brackets. */
function splitOutsideBrackets(text: string): readonly string[] {
  if (text.trim() === '') return [];
  const parts: string[] = [];
  let start = 0;
  let inside = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') inside = true;
    else if (text[at] === ')') inside = false;
    else if (text[at] === ',' && !inside) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function equality(part: string): Requirement | undefined {
  const [, key, operator, value = ''] = EQUALS.exec(part) ?? [];
  if (key === undefined) return;
  return (labels) => (labelOf(labels, key) === value) === (operator !== '!=');
}

function membership(part: string): Requirement | undefined {
  const [, key, operator, list = ''] = SET.exec(part) ?? [];
  if (key === undefined) return;
  const values = new Set<unknown>(list.split(',').map((value) => value.trim()));
  return (labels) => values.has(labelOf(labels, key)) === (operator === 'in');
}

function existence(part: string): Requirement | undefined {
  const [, negation, key] = EXISTS.exec(part) ?? [];
  if (key === undefined) return;
  return (labels) => (labelOf(labels, key) !== undefined) === (negation === '');
}

/** The value of a label; no label is inherited. */
function labelOf(labels: JsonObject, key: string): unknown {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
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

function parseTerm(term: string, whole: string, refuse: Refuse): FieldTerm {
  const at = term.search(/[!=]/);
  const operator = OPERATORS.find((candidate) => term.startsWith(candidate, at));
  if (at < 1 || operator === undefined) throw refuse(`invalid selector: '${whole}'; can't understand '${term}'`);
  const text = term.slice(at + operator.length);
  const value = unescapeValue(text);
  if (value === undefined) throw refuse(`invalid selector: '${whole}'; invalid value '${text}'`);
  return { field: term.slice(0, at), equal: operator !== '!=', value };
}

function unescapeValue(text: string): string | undefined {
  let value = '';
  for (let at = 0; at < text.length; at += 1) {
    const escaped = text[at] === '\\';
    if (escaped) at += 1;
    const character = text[at] ?? '';
    if (escaped ? !ESCAPABLE.has(character) : character === '=') return;
    value += character;
  }
  return value;
}
