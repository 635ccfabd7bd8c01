import { isJsonArray, isJsonObject, type Json } from '../objects/json.ts';
import type { KubeObject } from '../objects/kube-object.ts';
import type { ResourceKind } from '../objects/resource-kind.ts';
import { metadataProblems, type NameRule } from './names.ts';

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

/** Labels without any label are no labels. */
function withoutEmptyMetadata(object: KubeObject): KubeObject {
  const { name, uid, resourceVersion, creationTimestamp } = object.metadata;
  const kept = Object.entries(object.metadata).filter(([, value]) => !isEmpty(value));
  return { ...object, metadata: { ...Object.fromEntries(kept), name, uid, resourceVersion, creationTimestamp } };
}

function isEmpty(value: Json | undefined): boolean {
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
