import type { Json } from '@fenestra/kernel';
import { isJsonObject, type KubeObject } from '../meta/kube-object.ts';
import { badRequest } from './api-failure.ts';
import type { Matcher } from './label-selector.ts';

/** Reads a field selector: `metadata.name=a`, `spec.nodeName!=b`, joined by commas. An absent field is empty. */
export function parseFieldSelector(text: string): Matcher {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  const requirements = parts.map((part) => parseRequirement(part.trim()));
  return (object) => requirements.every((requirement) => requirement(object));
}

function parseRequirement(text: string): Matcher {
  const [, path, operator, value] = /^([\w.-]+)\s*(==|=|!=)\s*(.*)$/.exec(text) ?? [];
  if (path === undefined) throw badRequest(`unable to parse requirement "${text}" of the field selector`);
  const fields = path.split('.');
  return (object) => (fieldText(object, fields) === value) === (operator !== '!=');
}

function fieldText(object: KubeObject, fields: readonly string[]): string {
  const found = fields.reduce<Json | undefined>(
    (value, field) => (isJsonObject(value) ? value[field] : undefined),
    object,
  );
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? String(found) : '';
}
