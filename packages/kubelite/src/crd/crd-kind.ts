import { conditionOf, type ConditionUpdate, withCondition } from '../kinds/conditions.ts';
import { defineKind } from '../kinds/define-kind.ts';
import {
  listAt,
  type JsonObject,
  objectAt,
  objectsAt,
  sameJson,
  stringAt,
  stringsAt,
  withDefaults,
} from '../objects/json.ts';
import { invalidField } from '../kinds/problems.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { column, NAME } from '../printing/columns.ts';
import { definitionProblems } from './definition-problems.ts';
import { definitionWarnings } from './read-schema.ts';

/** Keeps a definition until the objects of its kind are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** Definitions of further kinds. They are in force as soon as they are stored. */
export const crdKind = defineKind({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  hasStatus: true,
  hasGeneration: true,
  columns: [NAME, column('Created At', 'When the definition was made', ({ metadata }) => metadata.creationTimestamp)],
  defaults: (definition) => ({ ...definition, spec: specDefaults(objectAt(definition, 'spec')) }),
  prepareForCreate: (definition, { now }) => withServerStatus(finalized(definition), undefined, now),
  prepareForUpdate: (definition, previous, { now }) =>
    definition.metadata.deletionTimestamp === undefined
      ? withServerStatus(finalized(definition), previous, now)
      : definition,
  prepareForDelete: (definition, { now }) => ({
    ...definition,
    status: withCondition(
      objectAt(definition, 'status'),
      { type: 'Terminating', status: 'True', reason: 'InstanceDeletionInProgress' },
      now,
    ),
  }),
  validate: (definition, previous) => [
    ...definitionProblems(definition, previous),
    ...statusProblems(definition, previous),
  ],
  warnings: definitionWarnings,
});

function specDefaults(spec: JsonObject): JsonObject {
  const names = objectAt(spec, 'names');
  const kind = stringAt(names, 'kind');
  return withDefaults(
    { ...spec, names: withDefaults(names, { singular: kind.toLowerCase(), listKind: `${kind}List` }) },
    { conversion: { strategy: 'None' } },
  );
}

function finalized(definition: KubeObject): KubeObject {
  const { metadata } = definition;
  const finalizers = [...new Set([...(metadata.finalizers ?? []), CLEANUP_FINALIZER])];
  return { ...definition, metadata: { ...metadata, finalizers } };
}

const ACCEPTED: ConditionUpdate = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
};
const ESTABLISHED: ConditionUpdate = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

/**
 * The definition with the parts of its status that the server sets. What a client wrote there instead stays,
 * for `statusProblems` to refuse; without `previous` the definition is new and no client has a say.
 */
function withServerStatus(definition: KubeObject, previous: KubeObject | undefined, now: Date): KubeObject {
  const given = previous ? objectAt(definition, 'status') : {};
  const status = [ACCEPTED, ESTABLISHED].reduce((known, condition) => withMissing(known, condition, now), given);
  const storedVersions = [...new Set([...stringsAt(given, 'storedVersions'), storageVersion(definition)])];
  const acceptedNames = namesAfter(definition, objectAt(previous, 'status', 'acceptedNames'));
  return { ...definition, status: { ...status, acceptedNames, storedVersions } };
}

/** What a client wrote to the status and the server cannot keep. */
function statusProblems(definition: KubeObject, previous: KubeObject | undefined): readonly FieldProblem[] {
  if (definition.metadata.deletionTimestamp !== undefined) return [];
  const status = objectAt(definition, 'status');
  const served = objectsAt(definition, 'spec', 'versions').map((version) => stringAt(version, 'name'));
  const versions = [...served, ...stringsAt(previous, 'status', 'storedVersions')];
  return [
    ...(sameJson(status['acceptedNames'], objectAt(definition, 'spec', 'names'))
      ? []
      : [invalidField('status.acceptedNames', status['acceptedNames'] ?? null, 'must be the names of spec.names')]),
    ...listAt(status, 'storedVersions').flatMap((version, index) =>
      versions.some((name) => name === version)
        ? []
        : [invalidField(`status.storedVersions[${index}]`, version, 'must appear in spec.versions')],
    ),
    ...[ACCEPTED, ESTABLISHED].flatMap(({ type }) => conditionProblems(status, type)),
  ];
}

function withMissing(status: JsonObject, condition: ConditionUpdate, now: Date): JsonObject {
  return conditionOf(status, condition.type) ? status : withCondition(status, condition, now);
}

/** The names of the spec, unless the client just wrote other ones. */
function namesAfter(definition: KubeObject, previous: JsonObject): JsonObject {
  const given = objectAt(definition, 'status', 'acceptedNames');
  const written = Object.keys(given).length > 0 && !sameJson(given, previous);
  return written ? given : objectAt(definition, 'spec', 'names');
}

function storageVersion(definition: KubeObject): string {
  const storage = objectsAt(definition, 'spec', 'versions').find((version) => version['storage'] === true);
  return stringAt(storage, 'name');
}

function conditionProblems(status: JsonObject, type: string): readonly FieldProblem[] {
  const value = stringAt(conditionOf(status, type), 'status');
  if (value === 'True') return [];
  return [invalidField('status.conditions', value, `the server sets the condition ${type}, and it is "True"`)];
}
