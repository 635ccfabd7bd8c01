import { isJsonObject, type JsonObject } from '../objects/json.ts';
import type { KubeObject, ObjectDraft } from '../objects/kube-object.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { badRequest } from '../objects/statuses.ts';
import { GROUP_PREFIXES } from './built-in-definitions.ts';
import { listMergeOf } from './schema/list-merge.ts';
import { pruneUnknown } from './schema/prune.ts';
import { reference, type Definitions } from './schema/schema.ts';
import { findTypeMismatch } from './schema/type-check.ts';

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
