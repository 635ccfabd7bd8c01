import { objectAt, type JsonObject } from '@fenestra/kernel';

/** The content of a ConfigMap or Secret. */
export interface KeyedData {
  /** What may become an environment variable. */
  readonly values: ReadonlyMap<string, Uint8Array>;
  /** What may become a file: the same, and the binary part of a ConfigMap. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Whether the content never changes. */
  readonly immutable: boolean;
}

/** The content of a ConfigMap. */
export function configMapData(configMap: JsonObject): KeyedData {
  const values = entries(configMap, 'data', 'utf8');
  return {
    values: new Map(values),
    files: new Map([...values, ...entries(configMap, 'binaryData', 'base64')]),
    immutable: configMap['immutable'] === true,
  };
}

/** The content of a Secret. */
export function secretData(secret: JsonObject): KeyedData {
  const values = new Map(entries(secret, 'data', 'base64'));
  return { values, files: values, immutable: secret['immutable'] === true };
}

/** The ConfigMaps and Secrets in the namespace of a pod, by name. What does not exist is absent. */
export interface ReferencedData {
  readonly configMaps: ReadonlyMap<string, KeyedData>;
  readonly secrets: ReadonlyMap<string, KeyedData>;
}

/** What a pod needs and does not exist: an object, a key of it, a field of the pod, or a token. */
export interface MissingReference {
  readonly kind: DataKind | 'Field' | 'PersistentVolumeClaim' | 'ServiceAccountToken';
  readonly name: string;
  readonly message: string;
}

/** The kinds of objects that hold data for containers. */
export type DataKind = 'ConfigMap' | 'Secret';

/** Says that a whole object is missing. */
export function missingObject(kind: DataKind, name: string): MissingReference {
  return { kind, name, message: `${kind.toLowerCase()} "${name}" not found` };
}

/** Says that an object lacks a key. */
export function missingKey(kind: DataKind, name: string, key: string): MissingReference {
  return { kind, name, message: `couldn't find key "${key}" in ${kind} "${name}"` };
}

/** Says that a pod has no such field, or that it cannot be referred to. */
export function missingField(name: string): MissingReference {
  return { kind: 'Field', name, message: `unsupported field "${name}"` };
}

function entries(object: JsonObject, field: string, encoding: 'utf8' | 'base64'): [string, Uint8Array][] {
  return Object.entries(objectAt(object, field)).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, Buffer.from(value, encoding)]] : [],
  );
}
