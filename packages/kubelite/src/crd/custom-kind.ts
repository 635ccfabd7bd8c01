import { ALL_VERBS } from '../kinds/define-kind.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
} from '../objects/json.ts';
import { type Definitions, listMergeOf, type Schema, withSchemaDefaults } from '../kinds/schema/schema.ts';
import { pruneUnknown } from '../kinds/schema/check.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { PrinterColumn, ResourceKind } from '../objects/resource-kind.ts';
import type { FieldProblem } from '../objects/status-error.ts';
import { AGE, ageOf, NAME } from '../printing/columns.ts';
import { compileJsonPath } from '../printing/json-path.ts';
import { duplicateItems } from './duplicate-items.ts';
import { objectWarnings, readSchema, schemaOf } from './read-schema.ts';
import { compileSchema, schemaFault } from './schema-validator.ts';

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

const TYPES = ['boolean', 'date', 'integer', 'number', 'string'] as const;

/** The columns of one version of a custom resource: its own, or the age if it names none. */
function customColumns(version: JsonObject): readonly PrinterColumn[] {
  const own = objectsAt(version, 'additionalPrinterColumns');
  return [NAME, ...(own.length === 0 ? [AGE] : own.map((column) => customColumn(column)))];
}

function customColumn(column: JsonObject): PrinterColumn {
  const type = TYPES.find((known) => known === column['type']) ?? 'string';
  const find = compileJsonPath(stringAt(column, 'jsonPath'));
  return {
    name: stringAt(column, 'name'),
    type,
    format: stringAt(column, 'format'),
    description: stringAt(column, 'description'),
    priority: numberAt(column, 'priority'),
    value: (object, now) => cell(find?.(object)[0], type, now),
  };
}

function cell(value: Json | undefined, type: PrinterColumn['type'], now: Date): Json {
  if (value === undefined || value === null) return null;
  if (type === 'date') return typeof value === 'string' ? ageOf(value, now) : '<invalid>';
  if (type === 'string' && typeof value !== 'string') return JSON.stringify(value);
  return value;
}
