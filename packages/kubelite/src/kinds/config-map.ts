import { objectAt } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { AGE, NAME, numberColumn } from '../printing/columns.ts';
import { defineKind } from './define-kind.ts';
import { duplicateField, forbiddenField, immutableField, invalidField } from './problems.ts';

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
export function keyProblems(object: KubeObject, fields: readonly string[]): readonly FieldProblem[] {
  const why = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
  return fields.flatMap((field) =>
    Object.keys(objectAt(object, field))
      .filter((key) => !/^[-._a-zA-Z0-9]{1,253}$/.test(key) || key === '.' || key.startsWith('..'))
      .map((key) => invalidField(`${field}[${key}]`, key, why)),
  );
}

/** What was changed though the stored object says it is immutable. */
export function frozenProblems(
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
