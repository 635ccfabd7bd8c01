import { isJsonObject, type JsonObject } from '@fenestra/kernel';

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
