import { type JsonObject, objectAt, stringAt, valueAt, without } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { AGE, column, NAME, numberColumn } from '../printing/columns.ts';
import { defineKind } from './define-kind.ts';
import { duplicateField, forbiddenField, immutableField, invalidField, requiredField } from './problems.ts';

/** Configuration as keys and values, in text or bytes. */
export const configMapKind = defineKind({
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  shortNames: ['cm'],
  namespaced: true,
  columns: [NAME, numberColumn('Data', 'Number of keys', entryCount), AGE],
  validate: (map, previous) => [
    ...keyProblems(map, ['data', 'binaryData']),
    ...bothProblems(map),
    ...frozenProblems(map, previous, ['data', 'binaryData']),
  ],
});

/** What is wrong with the keys of the given fields: they become file names. */
function keyProblems(object: KubeObject, fields: readonly string[]): readonly FieldProblem[] {
  const why = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
  return fields.flatMap((field) =>
    Object.keys(objectAt(object, field))
      .filter((key) => !/^[-._a-zA-Z0-9]{1,253}$/.test(key) || key === '.' || key.startsWith('..'))
      .map((key) => invalidField(`${field}[${key}]`, key, why)),
  );
}

/** What was changed though the stored object says it is immutable. */
function frozenProblems(
  object: KubeObject,
  previous: KubeObject | undefined,
  fields: readonly string[],
): readonly FieldProblem[] {
  if (previous?.['immutable'] !== true) return [];
  const why = 'field is immutable when `immutable` is set';
  const unfrozen = object['immutable'] === true ? [] : [forbiddenField('immutable', why)];
  const changed = fields.filter((field) => immutableField(field, object[field], previous[field]).length > 0);
  return [...unfrozen, ...changed.map((field) => forbiddenField(field, why))];
}

function bothProblems(map: KubeObject): readonly FieldProblem[] {
  const text = objectAt(map, 'data');
  const twice = Object.keys(objectAt(map, 'binaryData')).filter((key) => text[key] !== undefined);
  return twice.map((key) => duplicateField(`data[${key}]`, key));
}

function entryCount(map: KubeObject): number {
  return Object.keys(objectAt(map, 'data')).length + Object.keys(objectAt(map, 'binaryData')).length;
}

// The keys that a secret of a well-known type cannot do without.
const TYPE_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

/** Values to be kept to oneself, base64. `stringData` is for writing only and becomes `data`. */
export const secretKind = defineKind({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  columns: [
    NAME,
    column('Type', 'What the secret is for', (secret) => stringAt(secret, 'type')),
    numberColumn('Data', 'Number of keys', (secret) => Object.keys(objectAt(secret, 'data')).length),
    AGE,
  ],
  selectableFields: ['type'],
  defaults: (secret) => ({ ...withData(secret), type: stringAt(secret, 'type') || 'Opaque' }),
  validate: (secret, previous) => [
    ...keyProblems(secret, ['data']),
    ...base64Problems(secret),
    ...missingKeys(secret),
    ...(previous ? immutableField('type', secret['type'], previous['type']) : []),
    ...frozenProblems(secret, previous, ['data']),
  ],
});

function withData(secret: KubeObject): KubeObject {
  const text = objectAt(secret, 'stringData');
  if (Object.keys(text).length === 0) return secret;
  const encoded = Object.keys(text).map((key) => [key, Buffer.from(stringAt(text, key)).toString('base64')]);
  const data: JsonObject = { ...objectAt(secret, 'data'), ...Object.fromEntries(encoded) };
  const { apiVersion, kind, metadata } = secret;
  return { ...without(secret, 'stringData'), apiVersion, kind, metadata, data };
}

function base64Problems(secret: KubeObject): readonly FieldProblem[] {
  return Object.entries(objectAt(secret, 'data'))
    .filter(([, value]) => typeof value !== 'string' || Buffer.from(value, 'base64').toString('base64') !== value)
    .map(([key]) => invalidField(`data[${key}]`, '<omitted>', 'must be base64'));
}

function missingKeys(secret: KubeObject): readonly FieldProblem[] {
  const wanted = TYPE_KEYS[stringAt(secret, 'type')] ?? [];
  const missing = wanted.filter((key) => valueAt(secret, 'data', key) === undefined);
  return missing.map((key) => requiredField(`data[${key}]`));
}
