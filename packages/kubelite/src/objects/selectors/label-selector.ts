import type { KubeObject } from '../kube-object.ts';
import { badRequest } from '../statuses.ts';

/** Whether an object is selected. */
export type Selects = (object: KubeObject) => boolean;

type Labels = Readonly<Record<string, string>>;
type Requirement = (labels: Labels) => boolean;

const KEY = '[A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?';
const VALUE = '(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?';
const EQUALS = new RegExp(`^(${KEY})\\s*(==|=|!=)\\s*(${VALUE})$`);
const SET = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const EXISTS = new RegExp(`^(!?)\\s*(${KEY})$`);

/** Reads `a=b,c!=d,e in (x,y),f notin (z),g,!h`. Throws 400 for anything else. */
export function parseLabelSelector(text: string): Selects {
  const requirements = splitOutsideBrackets(text).map((part) => parseRequirement(part.trim(), text));
  return ({ metadata }) => requirements.every((requirement) => requirement(metadata.labels ?? {}));
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

function parseRequirement(part: string, whole: string): Requirement {
  const found = equality(part) ?? membership(part) ?? existence(part);
  if (!found) throw badRequest(`unable to parse requirement: "${part}" of the label selector "${whole}"`);
  return found;
}

function equality(part: string): Requirement | undefined {
  const [, key, operator, value = ''] = EQUALS.exec(part) ?? [];
  if (key === undefined) return;
  return operator === '!=' ? (labels) => labels[key] !== value : (labels) => labels[key] === value;
}

function membership(part: string): Requirement | undefined {
  const [, key, operator, list = ''] = SET.exec(part) ?? [];
  if (key === undefined) return;
  const values = new Set(list.split(',').map((value) => value.trim()));
  if (operator === 'notin') return (labels) => labels[key] === undefined || !values.has(labels[key]);
  return (labels) => labels[key] !== undefined && values.has(labels[key]);
}

function existence(part: string): Requirement | undefined {
  const [, negation, key] = EXISTS.exec(part) ?? [];
  if (key === undefined) return;
  return negation === '!' ? (labels) => labels[key] === undefined : (labels) => labels[key] !== undefined;
}
