import { objectAt, stringAt, type JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import { column, NAME } from '../printing/columns.ts';
import { withCondition } from '../kinds/conditions.ts';
import { defineKind } from '../kinds/define-kind.ts';
import { withDefaults } from '../kinds/json.ts';
import { definitionProblems } from './definition-problems.ts';
import { statusProblems, withServerStatus } from './definition-status.ts';
import { definitionWarnings } from './unenforced.ts';

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
