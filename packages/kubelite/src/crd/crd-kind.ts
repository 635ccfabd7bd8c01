import { objectAt, stringAt, valueAt, type JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { column, NAME } from '../printing/columns.ts';
import { withCondition } from '../kinds/conditions.ts';
import { defineKind } from '../kinds/define-kind.ts';
import { objectsAt, stringsAt, withDefaults } from '../kinds/json.ts';
import { definitionProblems } from './definition-problems.ts';

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
  prepareForCreate: (definition, { now }) => established(finalized(definition), {}, now),
  prepareForUpdate: (definition, previous, { now }) =>
    definition.metadata.deletionTimestamp === undefined
      ? established(finalized(definition), objectAt(previous, 'status'), now)
      : definition,
  prepareForDelete: (definition, { now }) => ({
    ...definition,
    status: withCondition(
      objectAt(definition, 'status'),
      { type: 'Terminating', status: 'True', reason: 'InstanceDeletionInProgress' },
      now,
    ),
  }),
  validate: definitionProblems,
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

function established(definition: KubeObject, status: JsonObject, now: Date): KubeObject {
  const storage = objectsAt(definition, 'spec', 'versions').find((version) => version['storage'] === true);
  const stored = [...new Set([...stringsAt(status, 'storedVersions'), stringAt(storage, 'name')])];
  const named = withCondition(
    status,
    { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
    now,
  );
  const ready = {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  } as const;
  const acceptedNames = valueAt(definition, 'spec', 'names') ?? {};
  return { ...definition, status: { ...withCondition(named, ready, now), acceptedNames, storedVersions: stored } };
}
