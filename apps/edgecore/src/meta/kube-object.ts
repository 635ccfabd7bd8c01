import { isJsonObject, type Json, type JsonObject } from '@fenestra/kernel';

/** A Kubernetes object as it travels: its metadata is at least an object with a name. */
export interface KubeObject extends JsonObject {
  readonly metadata: JsonObject & { readonly name: string };
}

/** Whether content is a Kubernetes object. An object without a name, which upstream takes for a success, is not one. */
export function isKubeObject(value: Json | undefined): value is KubeObject {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return false;
  const name = value['metadata']['name'];
  return typeof name === 'string' && name !== '';
}

/** A text field of an object; anything else there counts as absent. */
export function textOf(object: JsonObject | undefined, field: string): string | undefined {
  const value = object?.[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads a Kubernetes object from stored text; `undefined` where it is something else. */
export function parseKubeObject(text: string): KubeObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isKubeObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The object with `apiVersion` and `kind`: typed objects lose them on their way from the cloud. */
export function withKind(object: KubeObject, apiVersion: string, kind: string): KubeObject {
  return { apiVersion, kind, ...object, metadata: object.metadata };
}
