import { objectAt, stringAt, valueAt, without, type JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { AGE, column, NAME, numberColumn } from '../printing/columns.ts';
import { frozenProblems, keyProblems } from './config-map.ts';
import { defineKind } from './define-kind.ts';
import { immutableField, invalidField, requiredField } from './problems.ts';

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
