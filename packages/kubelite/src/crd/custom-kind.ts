import { isJsonObject, objectAt, stringAt, type JsonObject } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { ALL_VERBS } from '../kinds/define-kind.ts';
import { objectsAt, stringsAt } from '../kinds/json.ts';
import { withSchemaDefaults } from '../kinds/schema/defaults.ts';
import { listMergeOf } from '../kinds/schema/list-merge.ts';
import { pruneUnknown } from '../kinds/schema/prune.ts';
import type { Definitions, Schema } from '../kinds/schema/schema.ts';
import { customColumns } from './custom-columns.ts';
import { duplicateItems } from './duplicate-items.ts';
import { readSchema, schemaOf } from './read-schema.ts';
import { compileSchema, schemaFault } from './schema-validator.ts';
import { objectWarnings } from './unenforced.ts';

const NO_DEFINITIONS: Definitions = new Map();
const ENVELOPE: Readonly<Record<string, Schema>> = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

/** The kinds a definition serves now, one for each of its served versions. */
export function customKinds(definition: KubeObject): readonly ResourceKind[] {
  const versions = objectsAt(definition, 'spec', 'versions');
  const storage = versions.find((version) => version['storage'] === true);
  return versions
    .filter((version) => version['served'] === true)
    .map((version) => customKind(definition, version, stringAt(storage, 'name')));
}

/** The schema of one version with the fields that every object has. */
export function versionSchema(version: JsonObject): Schema {
  const own = readSchema(schemaOf(version));
  return { ...own, properties: { ...own.properties, ...ENVELOPE } };
}

function customKind(definition: KubeObject, version: JsonObject, storageVersion: string): ResourceKind {
  const names = objectAt(definition, 'spec', 'names');
  const ruleWarnings = lazily(() => objectWarnings(definition, version));
  return {
    group: stringAt(definition, 'spec', 'group'),
    version: stringAt(version, 'name'),
    storageVersion,
    kind: stringAt(names, 'kind'),
    listKind: stringAt(names, 'listKind') || `${stringAt(names, 'kind')}List`,
    plural: stringAt(names, 'plural'),
    singular: stringAt(names, 'singular') || stringAt(names, 'kind').toLowerCase(),
    shortNames: stringsAt(names, 'shortNames'),
    categories: stringsAt(names, 'categories'),
    namespaced: stringAt(definition, 'spec', 'scope') === 'Namespaced',
    verbs: ALL_VERBS,
    hasStatus: isJsonObject(objectAt(version, 'subresources')['status']),
    hasGeneration: true,
    subresources: [],
    columns: customColumns(version),
    selectableFields: objectsAt(version, 'selectableFields').map((field) =>
      stringAt(field, 'jsonPath').replace(/^\./, ''),
    ),
    strategicMerge: false,
    ...schemaRules(version),
    warnings: () => [...ruleWarnings(), ...schemaWarnings(definition, version)],
  };
}

/** A definition that an older version stored may have a schema that is refused now. */
function schemaWarnings(definition: KubeObject, version: JsonObject): readonly string[] {
  const fault = schemaFault(schemaOf(version));
  if (fault === undefined) return [];
  const kind = stringAt(definition, 'spec', 'names', 'kind');
  return [`the object was not checked: the schema of ${kind} cannot be used: ${fault}`];
}

/** An object that was stored with duplicates can still be changed. */
function newDuplicates(object: KubeObject, previous: KubeObject | undefined, schema: Schema): readonly FieldProblem[] {
  const found = duplicateItems(object, schema);
  return found.length > 0 && previous && duplicateItems(previous, schema).length > 0 ? [] : found;
}

function schemaRules(version: JsonObject): Partial<ResourceKind> {
  // Read at the first write: a definition that is withdrawn needs none.
  const schema = lazily(() => versionSchema(version));
  return {
    defaults(object) {
      const { value } = pruneUnknown(object, schema(), NO_DEFINITIONS);
      const filled = withSchemaDefaults(value, schema());
      const { apiVersion, kind, metadata } = object;
      return { ...(isJsonObject(filled) ? filled : {}), apiVersion, kind, metadata };
    },
    validate(object, previous) {
      const checked = schemaOf(version);
      const problems = schemaFault(checked) === undefined ? compileSchema(checked).problems(object) : [];
      return problems.length > 0 ? problems : newDuplicates(object, previous, schema());
    },
    unknownFields: (object) => pruneUnknown(object, schema(), NO_DEFINITIONS).unknown,
    listMerge: (path) => listMergeOf(schema(), NO_DEFINITIONS, path),
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
