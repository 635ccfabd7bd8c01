import { isJsonObject, type KubeObject } from '../meta/kube-object.ts';
import { badRequest } from './api-failure.ts';

/** Whether an object is meant. */
export type Matcher = (object: KubeObject) => boolean;

type Labels = ReadonlyMap<string, string>;
type Requirement = (labels: Labels) => boolean;

const SET = /^([^\s!=,()]+)\s+(in|notin)\s+\(([^()]*)\)$/;
const EQUALITY = /^([^\s!=,()]+)\s*(==|=|!=)\s*([^\s!=,()]*)$/;
const EXISTENCE = /^(!?)\s*([^\s!=,()]+)$/;

/** Reads a label selector: `a=b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`, joined by commas. */
export function parseLabelSelector(text: string): Matcher {
  const parts = text.split(/,(?![^()]*\))/).map((part) => part.trim());
  const requirements = text.trim() === '' ? [] : parts.map(parseRequirement);
  return (object) => {
    const labels = labelsOf(object);
    return requirements.every((requirement) => requirement(labels));
  };
}

function parseRequirement(text: string): Requirement {
  return parseSet(text) ?? parseEquality(text) ?? parseExistence(text);
}

function parseSet(text: string): Requirement | undefined {
  const [, key, operator, list] = SET.exec(text) ?? [];
  if (key === undefined || list === undefined) return undefined;
  const values = new Set(list.split(',').map((value) => value.trim()));
  const isIn: Requirement = (labels) => labels.has(key) && values.has(labels.get(key) ?? '');
  return operator === 'in' ? isIn : (labels) => !isIn(labels);
}

function parseEquality(text: string): Requirement | undefined {
  const [, key, operator, value] = EQUALITY.exec(text) ?? [];
  if (key === undefined) return undefined;
  return operator === '!=' ? (labels) => labels.get(key) !== value : (labels) => labels.get(key) === value;
}

function parseExistence(text: string): Requirement {
  const [, negation, key] = EXISTENCE.exec(text) ?? [];
  if (key === undefined) throw badRequest(`unable to parse requirement "${text}" of the label selector`);
  return negation === '!' ? (labels) => !labels.has(key) : (labels) => labels.has(key);
}

function labelsOf({ metadata }: KubeObject): Labels {
  const labels = metadata['labels'];
  if (!isJsonObject(labels)) return new Map();
  return new Map(Object.entries(labels).map(([key, value]) => [key, typeof value === 'string' ? value : '']));
}
