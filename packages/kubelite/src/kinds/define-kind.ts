import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';
import type { KubeObject, ObjectDraft } from '../objects/kube-object.ts';
import type { ResourceKind, Verb } from '../objects/resource-kind.ts';
import { badRequest } from '../objects/status-error.ts';
import { AGE, NAME } from '../printing/columns.ts';
import { GROUP_PREFIXES } from './built-in-definitions.ts';
import { metadataProblems, type NameRule } from './names.ts';
import { type Definitions, listMergeOf, reference } from './schema/schema.ts';
import { findTypeMismatch, pruneUnknown } from './schema/check.ts';

/** Everything that may be done to an ordinary object. */
export const ALL_VERBS: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

type Named = Pick<ResourceKind, 'group' | 'kind' | 'namespaced' | 'plural' | 'version'>;

/** A built-in kind: what is not said is as it is with most of them. */
export function defineKind(kind: Named & Partial<ResourceKind>): ResourceKind {
  return {
    singular: kind.kind.toLowerCase(),
    shortNames: [],
    verbs: ALL_VERBS,
    hasStatus: false,
    hasGeneration: false,
    subresources: [],
    columns: [NAME, AGE],
    selectableFields: [],
    strategicMerge: true,
    ...kind,
  };
}

/** The kind with what every object has to keep to: how names, labels and annotations are spelled. */
export function withMetadataRules(kind: ResourceKind, rule: NameRule): ResourceKind {
  return {
    ...kind,
    defaults: (object) => withoutEmptyMetadata(kind.defaults?.(object) ?? object),
    // An object that is there already keeps its name, whatever it is.
    validate: (object, previous) => [
      ...metadataProblems(object, previous ? 'path' : rule),
      ...(kind.validate?.(object, previous) ?? []),
    ],
  };
}

/** Labels without any label are not labels. */
function withoutEmptyMetadata(object: KubeObject): KubeObject {
  const { name, uid, resourceVersion, creationTimestamp } = object.metadata;
  const kept = Object.entries(object.metadata).filter(([, value]) => !isEmpty(value));
  return { ...object, metadata: { ...Object.fromEntries(kept), name, uid, resourceVersion, creationTimestamp } };
}

function isEmpty(value: Json | undefined): boolean {
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** A kind whose fields the type tables know: wrong types are refused, unknown fields and nulls dropped, lists merged by key. */
export function typedKind(kind: ResourceKind, definitions: Definitions): ResourceKind {
  const schema = reference(`${GROUP_PREFIXES[kind.group] ?? ''}.${kind.kind}`);
  return {
    ...kind,
    defaults(object) {
      const problem = findTypeMismatch(object, schema, definitions, kind.kind);
      if (problem !== undefined)
        throw badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${problem}`);
      const { value } = pruneUnknown(withoutNulls(object), schema, definitions);
      const known: KubeObject = { ...(isJsonObject(value) ? value : {}), ...envelopeOf(object) };
      return kind.defaults?.(known) ?? known;
    },
    unknownFields: (object: ObjectDraft) => pruneUnknown(object, schema, definitions).unknown,
    listMerge: (path) => listMergeOf(schema, definitions, path),
  };
}

function envelopeOf(object: KubeObject): Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'> {
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}

function withoutNulls(object: JsonObject): JsonObject {
  const kept = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isJsonObject(value) ? withoutNulls(value) : withoutNullsInList(value)]),
  );
}

function withoutNullsInList(value: JsonObject[string]): JsonObject[string] {
  if (!Array.isArray(value)) return value;
  return value.map((item) => (isJsonObject(item) ? withoutNulls(item) : item));
}
