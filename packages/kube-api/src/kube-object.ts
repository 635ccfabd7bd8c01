import type { Json } from '@fenestra/kernel';

/** An object as JSON has it. */
export interface JsonObject {
  readonly [field: string]: Json;
}

/** What every Kubernetes object carries. The server fills what a client leaves out. */
export interface ObjectMeta extends JsonObject {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly deletionTimestamp?: string;
}

/** A Kubernetes object of any kind, exactly as it travels: times are strings, unknown fields are kept. */
export interface KubeObject extends JsonObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

/** Whether a value is a JSON object, and neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const OPTIONAL_STRINGS = ['namespace', 'uid', 'resourceVersion', 'deletionTimestamp'];
const OPTIONAL_MAPS = ['labels', 'annotations'];

/** Whether a value has the shape every Kubernetes object has. */
export function isKubeObject(value: unknown): value is KubeObject {
  if (!isJsonObject(value) || !isJsonObject(value['metadata'])) return false;
  const { metadata } = value;
  if (typeof metadata['name'] !== 'string') return false;
  return (
    OPTIONAL_STRINGS.every((field) => ['string', 'undefined'].includes(typeof metadata[field])) &&
    OPTIONAL_MAPS.every((field) => metadata[field] === undefined || isStringMap(metadata[field]))
  );
}

function isStringMap(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every((entry) => typeof entry === 'string');
}

/** The value at a path of fields, or undefined where the path ends early. */
export function valueAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current = value;
  for (const field of path) current = isJsonObject(current) ? current[field] : undefined;
  return current;
}

/** The string at a path, or an empty one. */
export function stringAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The list at a path, or an empty one. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = valueAt(value, ...path);
  return isList(found) ? found : [];
}

/** The object at a path, or an empty one. */
export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, ...path);
  return isJsonObject(found) ? found : {};
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
