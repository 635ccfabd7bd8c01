import type { JsonObject } from './json.ts';

/** A pointer from a dependent to the object that owns it; garbage collection follows it by `uid`. */
export interface OwnerReference extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** One manager's fields of an object, as server-side apply records them. */
export interface ManagedFieldsEntry extends JsonObject {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly time?: string;
  readonly fieldsType?: 'FieldsV1';
  readonly fieldsV1?: JsonObject;
  readonly subresource?: string;
}

/** What every object carries. `resourceVersion` is empty only while an object is on its way into the store. */
export interface ObjectMeta extends JsonObject {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly generation?: number;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** An object as it is stored and served. Treat it as frozen; make a changed copy by spreading. */
export interface KubeObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** What a caller hands in before the API fills in the rest: only the shape of `metadata` has been checked. */
export interface ObjectDraft extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Partial<ObjectMeta> & JsonObject;
}
